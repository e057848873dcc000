#!/usr/bin/env python3
"""docs.py ROOT TYPES [-w]: renames types in Markdown, inside of backticks and code blocks; prints what it leaves.

A name is changed if all types of that name get the same new name and it is no word of others (STAY).
A name of several types is changed by the table BY_FILE, or is left and printed.
"""
import collections
import re
import subprocess
import sys

root, types = sys.argv[1:3]
write = '-w' in sys.argv
by_name = collections.defaultdict(set)
nested = {}
for line in open(types):
    old, new, module = line.rstrip('\n').split('\t')
    short = old.rsplit('.', 1)[1].split('$')
    by_name[short[-1]].add(new)
    nested.setdefault(short[-1], []).append((old, new))
full = {old: new for line in open(types) for old, new, _ in [line.rstrip('\n').split('\t')]}
outer = {}
for old, new in full.items():
    parts = old.rsplit('.', 1)[1].split('$')
    if len(parts) > 1:
        top = old.split('$')[0]
        outer.setdefault('.'.join(parts), set()).add('.'.join([full.get(top, parts[0])] + [new]))
STAY = set('Origin Hash Security Memory Name Part Headers Message View Item Netty Kafka Rabbit Feign Rest Mvc Unknown Refused Order Guard '
           'Command Request Query Table Service Database Environment Script Line Page Node Reader Writer Call Batch Filter Form Report Limits '
           'Kind Reason Reactive Conflict Failure Entry State Member Fields Field Names Places Money Count Cases Missing Executed Failed'.split())
BY_FILE = {
    'docs/mechanisms': {'Already': 'AlreadyMoved', 'Cancelled': 'OrderGivenBack', 'Missing': 'StateRowMissing', 'Ran': 'SectionRan',
                        'Refused': 'MoveRejected', 'Taken': 'NotAcquired', 'Transition': 'TransitionResult'},
    'README': {'Busy': 'InProgress', 'Refused': 'Rejected', 'RefusedException': 'RejectedException'},
    'docs/user-guide': {'Busy': 'InProgress', 'Refused': 'Rejected'},
    'docs/guarantees': {'Busy': 'InProgress', 'Event': 'OperationEvent'},
    'docs/spring': {'Duplicates': 'DuplicatePolicy', 'Listener': 'OperationListener'},
    'docs/testing': {'Duplicates': 'DuplicateCalls', 'Listener': 'OperationListener'},
    'CHANGELOG': {'Duplicates': 'DuplicateCalls', 'Event': 'OperationEvent', 'Report': 'ContractReport'},
    'docs/decisions': {'Busy': 'InProgress', 'Checkpoint': 'SaveCheckpoint', 'Exchange': 'ProtectedExchange', 'Filter': 'RecordFilter',
                       'HeldResponse': 'ProtectedServletResponse', 'Shape': 'JsonTypeReader', 'Watch': 'QueryWatchdog', 'Wire': 'CommandPipeline'},
    'ARCHITECTURE': {'Batch': 'ScriptBatch', 'Busy': 'InProgress', 'Calls': 'ScriptCalls', 'Exchange': 'ProtectedExchange', 'Fields': 'CanonicalFields',
                     'Filter': 'RecordFilter', 'Headers': 'ForwardableHeaders', 'HeldRequest': 'ProtectedServletRequest',
                     'HeldResponse': 'ProtectedServletResponse', 'Identity': 'RequestIdentity', 'Listening': 'ListenerExceptions',
                     'Observed': 'ShadowCalls', 'Origin': 'ForwardedHeaders', 'Pass': 'PassThrough', 'Answered': 'RespondNow', 'Places': 'KeyLayout',
                     'Reactive': 'ReactiveMethods', 'Reading': 'GatewayBodyReader', 'Rows': 'RecordRowReader', 'Sending': 'SendProgress',
                     'Failure': 'UpstreamFailure', 'Told': 'InvocationResult', 'Transition': 'RecordTransitions', 'Visit': 'CacheSession',
                     'Watch': 'QueryWatchdog', 'Wire': 'CommandPipeline', 'Words': 'ProblemFormat', 'Answer': 'OutgoingResponse',
                     'Connections': 'ConnectionRunner'},
}
SPAN = re.compile(r'```.*?```|`[^`\n]+`', re.S)
TOKEN = re.compile(r'(?<![\w/$.@-])([A-Z]\w*)((?:\.[A-Z]\w*)*)(?![\w-])')
left = collections.Counter()
done = collections.Counter()
for file in subprocess.run(['git', '-C', root, 'ls-files', '*.md'], capture_output=True, text=True, check=True).stdout.split():
    if file.startswith(('docs/api-names', 'docs/glossary')):
        continue
    text = open(f'{root}/{file}', encoding='utf-8').read()

    def token(match):
        name = match.group(0)
        if match.group(2) and name in outer and len(outer[name]) == 1:
            new = next(iter(outer[name]))
        else:
            first = match.group(1)
            if first not in by_name or first == 'Redis' and not re.match(r'`|\.| redis', match.string[match.end():]):
                return name
            override = next((names[first] for start, names in BY_FILE.items() if file.startswith(start) and first in names), None)
            if override:
                done[name, override] += 1
                return override + match.group(2)
            if first in STAY or len(by_name[first]) > 1 or all('$' in old for old, _ in nested[first]):
                left[f'{first} -> {"|".join(sorted(by_name[first]))}', file] += 1
                return name
            new = next(iter(by_name[first])) + match.group(2)
        done[name, new] += 1
        return new

    changed = SPAN.sub(lambda m: TOKEN.sub(token, m.group(0)), text)
    if write and changed != text:
        open(f'{root}/{file}', 'w', encoding='utf-8').write(changed)
print(sum(done.values()), 'changed,', sum(left.values()), 'left')
for (a, b), n in sorted(done.items()):
    if not re.search('[a-z][A-Z]', a):
        print('  changed', n, a, b)
for (name, file), n in sorted(left.items()):
    print('  left', n, name, file)
