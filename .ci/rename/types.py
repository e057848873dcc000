#!/usr/bin/env python3
"""Reads the decisions of docs/api-names.md and prints one line for each type whose name changes: binary name, new simple name, module.

Reads the names of all types from the class files, so the tree must be compiled with its old names.
Fails if a decision fits no type, or more than one.
"""
import glob
import os
import re
import sys

root = sys.argv[1]
types = {}
for module in glob.glob(root + '/onefold-*'):
    classes = module + '/target/classes'
    for folder, _, files in os.walk(classes):
        for file in files:
            if file.endswith('.class') and not re.search(r'\$\d', file) and '-info' not in file:
                name = os.path.relpath(os.path.join(folder, file), classes)[:-6].replace('/', '.')
                types.setdefault(os.path.basename(module), set()).add(name)

decisions = []
section = module = package = None
for line in open(root + '/docs/api-names.md', encoding='utf-8'):
    if line.startswith('## '):
        section = line[3]
    if line.startswith('### '):
        module, package = line[4:].split()[0], None
    heading = re.match(r'\| \*\*(io\.onefold[\w.]*)\*\*', line)
    if heading:
        package = heading.group(1)
    public = re.match(r'\| (?:└ )?`([\w.]+)` \| (?:rename to|internal, as) `(\w+)`', line)
    if section == '3' and public:
        decisions.append((module, package, None, *public.groups()))
    other = re.match(r'\| `([\w.]+)`(?: \(~(\.[\w.]+)\))? \| `(\w+)` \|', line)
    if section == '5' and other:
        decisions.append((module, None, other.group(2), other.group(1), other.group(3)))

wrong = 0
for module, package, end, old, new in decisions:
    suffix = '.' + old.replace('.', '$')
    found = [t for t in types.get(module, ()) if t.endswith(suffix) and '$' not in t[:-len(suffix)]]
    if package and package + suffix in found:
        found = [package + suffix]
    if end:
        found = [t for t in found if t[:-len(suffix)].endswith(end)]
    if len(found) == 1:
        print(found[0], new, module, sep='\t')
    else:
        wrong += 1
        print(f'{module}: {old} -> {new} fits {found or "no type"}', file=sys.stderr)
sys.exit(bool(wrong))
