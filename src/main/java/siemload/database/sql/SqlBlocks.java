package siemload.database.sql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.database.layout.Blocks;

/**
 * The statements of a layout of tables, and the parts that its searches are made of, by the names of their blocks. A block whose name stands in
 * others is put in there. Immutable and thread-safe.
 */
public class SqlBlocks {
    private final Blocks blocks;
    private final Map<String, String> expressions = new HashMap<>();
    private final Set<String> names = new HashSet<>();

    public SqlBlocks(Blocks blocks) {
        this.blocks = blocks;
        blocks.all().values().stream()
                .flatMap(block -> block.names().stream())
                .map(name -> name.substring(1))
                .forEach(name -> {
                    if (name.startsWith("\"")) {
                        names.add(name.substring(1, name.length() - 1));
                    }
                    blocks.find(name)
                            .ifPresent(used -> expressions.put(
                                    name, SqlStatement.of(used.text()).sql()));
                });
    }

    /** The identifiers that blocks leave open: the names of tables and indexes. */
    final Set<String> names() {
        return Set.copyOf(names);
    }

    public final Blocks blocks() {
        return blocks;
    }

    public final boolean has(String name) {
        return blocks.all().containsKey(name);
    }

    /** A block that has no parts, or whose parts do not matter. @throws Blocks.MissingBlockException without such a block */
    public final SqlStatement read(String name) {
        return read(name, Map.of());
    }

    public final SqlStatement read(String name, Map<String, String> parts) {
        return SqlStatement.of(part(name, parts));
    }

    /** A part of a statement, with its own parts put in. */
    public final String part(String name, Map<String, String> parts) {
        return SqlStatement.fill(blocks.text(name), all(parts)).strip();
    }

    private Map<String, String> all(Map<String, String> parts) {
        Map<String, String> all = new HashMap<>(expressions);
        all.putAll(parts);
        return all;
    }

    /** The statements of a block that builds something, with their parts put in; none where there is no such block. */
    public final List<SqlStatement.Step> steps(String name, Map<String, String> parts) {
        return has(name) ? SqlStatement.steps(name, blocks.text(name), all(parts)) : List.of();
    }
}
