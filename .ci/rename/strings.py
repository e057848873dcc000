#!/usr/bin/env python3
"""strings.py ROOT TYPES: renames types in string literals, resources, Kotlin and scripts, after apply.py.

Full names (io.onefold.…, io/onefold/…) are found by themselves. Short names stand in the table below, file by file.
Markdown is left: samples and names in backticks are changed by hand.
"""
import re
import subprocess
import sys

root, types = sys.argv[1:3]
names = {}
for line in open(types):
    old, new, _ = line.rstrip('\n').split('\t')
    names[old] = new

SHORT = {
    'onefold-core/src/test/java/io/onefold/ArchitectureTest.java': [
        ('"Ids"', '"TimeOrderedIds"'), ('"Front.answers"', '"GuardedCache.answers"')],
    'onefold-kotlin/src/test/kotlin/io/onefold/kotlin/SuspendingTest.kt': [
        ('BusyException', 'InProgressException'), ('Outcome.Busy', 'Outcome.InProgress')],
    'onefold-spring-boot/src/main/java/io/onefold/spring/boot/StartFailureAnalyzer.java': [
        ('ServletCallers (ReactiveCallers in', 'ServletCallerResolver (ReactiveCallerResolver in')],
    'onefold-spring-boot/src/test/java/io/onefold/spring/boot/WrongBootTest.java': [
        ('"HealthAutoConfiguration.class"', '"Boot3StoreHealthAutoConfiguration.class"')],
    'onefold-spring-boot/src/test/java/io/onefold/spring/boot/LibrariesTest.java': [
        ('"RedisConfiguration.ByPlace"', '"RedisConfiguration.RedisByAddress"'),
        ('THREE ? "RedisAutoConfiguration" : "DataRedisConfiguration";',
         'THREE ? "Boot3RedisAutoConfiguration" : "DataRedisConfiguration";\n'
         '    private static final String REST_CLIENT =\n'
         '            THREE ? "Boot3ChildKeyAutoConfiguration.Boot3RestClientKeys" : "ChildKeyAutoConfiguration.RestClientKeys";\n'
         '    private static final String WEB_CLIENT =\n'
         '            THREE ? "Boot3ChildKeyAutoConfiguration.Boot3WebClientKeys" : "ChildKeyAutoConfiguration.WebClientKeys";'),
        ('StoreConfiguration.RedisBeforeJdbc', 'StoreConfiguration.TieredConfiguration'),
        ('"JoinedAutoConfiguration"', '"TransactionSupportAutoConfiguration"'),
        ('"spring-boot-health", "HealthAutoConfiguration"', '"spring-boot-health", "StoreHealthAutoConfiguration"'),
        ('"EndpointAutoConfiguration", "HealthAutoConfiguration"', '"EndpointAutoConfiguration", "Boot3StoreHealthAutoConfiguration"'),
        ('"ChildKeyAutoConfiguration.Rest"', 'REST_CLIENT'),
        ('"ChildKeyAutoConfiguration.Reactive"', 'WEB_CLIENT'),
        ('"ClientAutoConfiguration.Feign"', '"ClientAutoConfiguration.FeignKeys"'),
        ('"ServletAutoConfiguration.Mvc"', '"ServletFilterAutoConfiguration.MvcConfiguration"'),
        ('"ServletAutoConfiguration"', '"ServletFilterAutoConfiguration"'),
        ('"ContractAutoConfiguration"', '"HttpContractAutoConfiguration"'),
        ('"ReactiveAutoConfiguration.Filtered"', '"WebFluxFilterAutoConfiguration.WebFilterConfiguration"'),
        ('"ReactiveAutoConfiguration"', '"WebFluxFilterAutoConfiguration"'),
        ('"KafkaListenerFactories"', '"KafkaFactoryPostProcessor"'),
        ('"RabbitListenerFactories"', '"RabbitFactoryPostProcessor"')],
    'onefold-spring/src/test/java/io/onefold/spring/ReplayedResultsTest.java': [
        ('"StoredEntity"', '"StoredResponseEntity"')],
    'onefold-spring/src/test/java/io/onefold/spring/client/AbsentLibrariesTest.java': [
        ('"ChildKeys"', '"ChildKeyRules"'), ('"ChildKeyInterceptor"', '"ChildKeyHttpInterceptor"'),
        ('"ChildKeyFilter"', '"ChildKeyExchangeFilter"')],
    'onefold-store-contract/src/main/java/io/onefold/payload/contract/CodecContract.java': [
        ('withMessageContaining("Picky")', 'withMessageContaining("PickyConstructor")')],
    'onefold-store-jdbc/src/test/java/io/onefold/jdbc/HungStepsFaultTest.java': [('contains("Busy")', 'contains("InProgress")')],
    'onefold-store-jdbc/src/test/java/io/onefold/jdbc/HungServerFaultTest.java': [('"Won"', '"Acquired"')],
    'onefold-store-jdbc/src/test/java/io/onefold/jdbc/PromotionFaultTest.java': [
        ('"Won"', '"Acquired"'), ('"Seen"', '"RecordSnapshot"')],
    'onefold-store-jdbc/src/test/java/io/onefold/jdbc/SynchronousStandbyFaultTest.java': [
        ('"LostCommitException"', '"CommitUnknownException"')],
}

FULL = re.compile(r'io([./])onefold(?:\1\w+)+(?:\$\w+)*')
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def renamed(match):
    separator, text = match.group(1), match.group(0)
    old = text.replace(separator, '.')
    # the type is the longest known beginning: what follows is a member, or the ending of a file
    parts = re.split(r'([.$])', old)
    result, so_far = [], ''
    for part in parts:
        so_far += part
        result.append(names.get(so_far, part))
    return ''.join(result).replace('.', separator)


changed = 0
for file in subprocess.run(['git', '-C', root, 'ls-files'], capture_output=True, text=True, check=True).stdout.split():
    if file.endswith(('.md', '.jar')) or file.startswith('.ci/rename/'):
        continue
    try:
        text = open(f'{root}/{file}', encoding='utf-8').read()
    except (UnicodeDecodeError, FileNotFoundError):
        continue
    new = LITERAL.sub(lambda m: FULL.sub(renamed, m.group(0)), text) if file.endswith('.java') else FULL.sub(renamed, text)
    for short, long in SHORT.get(file, ()):
        if short not in new:
            sys.exit(f'{file} has no {short}')
        new = new.replace(short, long)
    if new != text:
        changed += 1
        open(f'{root}/{file}', 'w', encoding='utf-8').write(new)
print(f'{changed} files with names in strings')
