#!/usr/bin/env python3
"""apply.py ROOT EDITS TYPES [MODULE,...]: writes the edits into the sources of ROOT and renames the files of top-level types.

Positions count UTF-16 units of the text that TypeRenamer has read: apply edits only to that very text.
With modules, only names of their types change.
"""
import collections
import os
import subprocess
import sys

root, edits, types = sys.argv[1:4]
modules = set(sys.argv[4].split(',')) if len(sys.argv) > 4 else None
by_file = collections.defaultdict(list)
for line in open(edits):
    file, start, end, new, module = line.rstrip('\n').split('\t')
    if modules is None or module in modules:
        by_file[file].append((int(start), int(end), new))
for file, changes in by_file.items():
    text = open(file, encoding='utf-8').read().encode('utf-16-le')
    for start, end, new in sorted(changes, reverse=True):
        text = text[:2 * start] + new.encode('utf-16-le') + text[2 * end:]
    open(file, 'w', encoding='utf-8').write(text.decode('utf-16-le'))

new_names = {}
for line in open(types):
    old, new, module = line.rstrip('\n').split('\t')
    if '$' not in old and (modules is None or module in modules):
        new_names[(module, old)] = new
renamed = 0
for file in subprocess.run(['git', '-C', root, 'ls-files', '*/src/main/java/*.java'], capture_output=True, text=True, check=True).stdout.split():
    module, path = file.split('/src/main/java/')
    new = new_names.get((module, path[:-5].replace('/', '.')))
    if new:
        subprocess.run(['git', '-C', root, 'mv', file, os.path.dirname(file) + '/' + new + '.java'], check=True)
        renamed += 1
print(f'{sum(map(len, by_file.values()))} places in {len(by_file)} files; {renamed} files renamed')
