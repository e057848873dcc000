import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Finds each place in Java sources that names a type to rename, by the symbols of the compiler.
 *
 * <p>Arguments: the file of types.py, and the file to write edits to. Standard input: lines "source root, tab, class path".
 */
public final class TypeRenamer {
    private static final Pattern REFERENCE =
            Pattern.compile("\\{@(?:link|linkplain|code|value)\\s+([^}]*)}|@(?:see|throws|exception)\\s+([\\w.#(), ]+)");
    private static final Pattern NAME = Pattern.compile("(?<![\\w$])[A-Z]\\w*");
    private static final Pattern TWO_WORD_NAME = Pattern.compile("(?<![\\w$.])[A-Z][a-z0-9]+[A-Z]\\w*");

    private record NewName(String name, String module) {}

    private record Edit(int end, NewName replacement) {}

    private final Map<String, NewName> types = new HashMap<>();
    private final Map<String, TreeMap<Integer, Edit>> edits = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        TypeRenamer renamer = new TypeRenamer();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] parts = line.split("\t");
            renamer.types.put(parts[0], new NewName(parts[1], parts[2]));
        }
        for (String line : new String(System.in.readAllBytes()).lines().toList()) {
            String[] parts = line.split("\t", 2);
            renamer.read(Path.of(parts[0]), parts[1]);
        }
        List<String> lines = new ArrayList<>();
        renamer.edits.forEach((file, ofFile) -> ofFile.forEach((start, edit) -> lines.add(String.join(
                "\t", file, "" + start, "" + edit.end, edit.replacement.name, edit.replacement.module))));
        Files.write(Path.of(arguments[1]), lines);
    }

    private void read(Path root, String classPath) throws IOException {
        List<Path> files;
        try (var walk = Files.walk(root)) {
            files = walk.filter(file -> file.toString().endsWith(".java")).toList();
        }
        if (files.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        List<String> options = List.of("-proc:none", "-classpath", classPath);
        boolean[] failed = {false};
        JavacTask task = (JavacTask) compiler.getTask(
                null,
                manager,
                found -> {
                    if (found.getKind() == javax.tools.Diagnostic.Kind.ERROR) {
                        failed[0] = true;
                        System.err.println(found);
                    }
                },
                options,
                null,
                manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        if (failed[0]) {
            throw new IllegalStateException(root + " does not compile");
        }
        for (CompilationUnitTree unit : units) {
            new Unit(unit, Trees.instance(task), task.getElements()).read();
        }
    }

    /** One source file. */
    private final class Unit extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final SourcePositions positions;
        private final Elements elements;
        private final String text;
        private final String file;
        private final Map<String, NewName> inScope = new HashMap<>();

        Unit(CompilationUnitTree unit, Trees trees, Elements elements) throws IOException {
            this.unit = unit;
            this.trees = trees;
            this.positions = trees.getSourcePositions();
            this.elements = elements;
            this.text = unit.getSourceFile().getCharContent(true).toString();
            this.file = Path.of(unit.getSourceFile().toUri()).toString();
        }

        void read() {
            scan(unit, null);
            String prefix = unit.getPackageName() + ".";
            types.forEach((name, replacement) -> {
                if (name.startsWith(prefix) && name.indexOf('$') < 0 && name.indexOf('.', prefix.length()) < 0) {
                    inScope.putIfAbsent(name.substring(prefix.length()), replacement);
                }
            });
            readComments();
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            name(trees.getElement(getCurrentPath()), positions.getStartPosition(unit, tree));
            return super.visitIdentifier(tree, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            long end = positions.getEndPosition(unit, tree);
            name(trees.getElement(getCurrentPath()), end - tree.getIdentifier().length());
            return super.visitMemberSelect(tree, nothing);
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            long start = positions.getEndPosition(unit, tree.getModifiers());
            if (start < 0) {
                start = positions.getStartPosition(unit, tree);
            }
            Matcher declaration = Pattern.compile("\\b(?:class|interface|record|enum)\\s+(" + tree.getSimpleName() + ")\\b")
                    .matcher(text);
            if (!tree.getSimpleName().isEmpty() && declaration.find((int) start)) {
                name(trees.getElement(getCurrentPath()), declaration.start(1));
            }
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            Element element = trees.getElement(getCurrentPath());
            if (element != null && tree.getName().contentEquals("<init>")) {
                Element type = element.getEnclosingElement();
                int start = ((JCTree) tree).pos;
                String rest = text.substring(start).substring(Math.min(type.getSimpleName().length(), text.length() - start));
                if (rest.stripLeading().startsWith("(") || rest.stripLeading().startsWith("{")) {
                    name(type, start);
                }
            }
            return super.visitMethod(tree, nothing);
        }

        private void name(Element element, long start) {
            if (element instanceof TypeElement type) {
                NewName replacement = types.get(elements.getBinaryName(type).toString());
                if (replacement != null) {
                    String old = type.getSimpleName().toString();
                    inScope.put(old, replacement);
                    replace(start, old, replacement);
                }
            }
        }

        /** Only if the old name is there as a word: trees that the compiler made have positions of other words. */
        private void replace(long position, String old, NewName replacement) {
            int start = (int) position;
            int end = start + old.length();
            if (start >= 0
                    && text.startsWith(old, start)
                    && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))
                    && (start == 0 || !Character.isJavaIdentifierPart(text.charAt(start - 1)))) {
                edits.computeIfAbsent(file, key -> new TreeMap<>()).put(start, new Edit(end, replacement));
            }
        }

        private void readComments() {
            int at = 0;
            while (at < text.length()) {
                if (text.startsWith("//", at)) {
                    at = readComment(at, text.indexOf('\n', at));
                } else if (text.startsWith("/*", at)) {
                    at = readComment(at, text.indexOf("*/", at + 2) + 2);
                } else if (text.startsWith("\"\"\"", at)) {
                    at = endOfLiteral(at + 3, "\"\"\"");
                } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
                    at = endOfLiteral(at + 1, text.substring(at, at + 1));
                } else {
                    at++;
                }
            }
        }

        private int endOfLiteral(int start, String quote) {
            int at = start;
            while (!text.startsWith(quote, at)) {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            return at + quote.length();
        }

        private int readComment(int start, int end) {
            int stop = end < 0 ? text.length() : end;
            String comment = text.substring(start, stop);
            Matcher reference = REFERENCE.matcher(comment);
            while (reference.find()) {
                int group = reference.group(1) != null ? 1 : 2;
                replaceIn(reference.group(group), start + reference.start(group), NAME);
            }
            replaceIn(comment, start, TWO_WORD_NAME);
            return stop;
        }

        private void replaceIn(String words, int start, Pattern pattern) {
            Matcher name = pattern.matcher(words);
            while (name.find()) {
                NewName replacement = inScope.get(name.group());
                if (replacement != null) {
                    replace(start + name.start(), name.group(), replacement);
                }
            }
        }
    }
}
