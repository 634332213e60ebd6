package siemload.database.sql.layout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.Conditions;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.StoredValue;
import siemload.database.layout.ValueLines;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;

/**
 * How layouts of tables are read, whatever the database. Immutable and thread-safe.
 *
 * @param <F> what of an event can fill a column
 */
public abstract class SqlLayoutFormat<F extends StoredValue> extends LayoutFormat<F> {
    private static final Set<String> NEEDED_ALONE =
            Set.of("id", "time", "json", "times", "condition-window", "page", "whole");

    /** As {@link LayoutFormat}. */
    protected SqlLayoutFormat(String resources, Vocabulary<F> vocabulary) {
        super(resources, Syntax.SQL, vocabulary);
    }

    @Override
    protected final List<Named> names(Block block) {
        return SqlStatement.places(block.text()).stream()
                .map(place -> new Named(place.written(), block.origin(place.offset())))
                .toList();
    }

    @Override
    protected final String hintOfNames() {
        return "; a colon that begins no name has another one before it";
    }

    /** The names in the blocks of a name in these folders. */
    protected static Stream<Place> places(String name, Stream<Blocks> folders) {
        List<String> like = Conditions.like(name).toList();
        return folders.flatMap(blocks -> like.stream().flatMap(one -> blocks.find(one).stream()))
                .flatMap(block -> SqlStatement.places(block.text()).stream());
    }

    /** What may stand for expressions in a block of a layout without loading. */
    protected static Set<String> expressions(LayoutAbout<?> about, String block) {
        Set<String> names = new LinkedHashSet<>();
        if (about.isForSearchesAlone() && !SqlLayout.EXPRESSIONS.contains(block)) {
            SqlLayout.EXPRESSIONS.forEach(name -> names.add(":" + name));
        }
        return names;
    }

    @Override
    protected final Set<String> neededAlone(LayoutAbout<F> about) {
        Set<String> needed = new HashSet<>(NEEDED_ALONE);
        if (about.base().contains(LayoutAbout.ROWS)) {
            needed.add("from");
        }
        return needed;
    }

    @Override
    protected Set<String> optional(LayoutAbout<F> about) {
        return about.isForSearchesAlone() ? Set.of("from") : Set.of();
    }

    /** Queries for values that nobody knows. */
    @Override
    protected Optional<String> wrong(LayoutAbout<F> about, Block block) {
        if (!block.name().equals(ValueLines.BLOCK)) {
            return Optional.empty();
        }
        List<String> seen = new ArrayList<>();
        for (SqlFiles.Step query : SqlFiles.steps("", block.text())) {
            if (ValueLines.KINDS.find(query.name()).isEmpty()) {
                return Optional.of("has '" + query.name()
                        + "', which is no kind of values (needed: its name in a comment line"
                        + " before each query, such as -- address; " + ValueLines.KINDS.help(query.name()) + ")");
            } else if (seen.contains(query.name())) {
                return Optional.of("has two queries for " + query.name() + " (leave one out)");
            }
            seen.add(query.name());
        }
        return Optional.empty();
    }

    @Override
    protected void checkTogether(LayoutAbout<F> about, Blocks all, LayoutFolder folder, Problems problems) {}
}
