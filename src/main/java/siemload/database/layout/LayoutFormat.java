package siemload.database.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.RegularFile;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.Abilities;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable.Rows;
import siemload.query.CountedValue;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.ValueField;

/**
 * Reads the layouts of one database and checks their blocks. A layout needs the blocks that siemload's own layouts have, so no other list
 * of needed blocks exists. Immutable and thread-safe.
 */
public abstract class LayoutFormat implements OwnLayouts {
    /** The prefix in the names of blocks that make the indexes of a set. */
    public static final String INDEXES = "indexes-";

    private static final String REMOVE_DAY = "remove-day";

    /** The prefixes in the names of blocks that each table has. */
    private static final List<String> OF_TABLES = List.of("table-", "contents-", "insert-");

    /** The prefix in the names of siemload's blocks that are never executed: they list further placeholders for users' blocks. */
    private static final String LIKE = "like-";

    /** The folder for searches of existing data: layouts without loading can be based on it, but it is not a layout. */
    private static final String ROWS = "rows";

    private final Syntax syntax;
    private final Product product;
    private final List<String> folders;
    private final Set<String> neededAlone;
    private final Function<Variant, BiConsumer<Search, PageClass>> translating;
    private final String statements;
    private final Map<String, Read> builtIn = new ConcurrentHashMap<>();

    /**
     * Creates the format of one database.
     *
     * @param product the database; its searches can be given its hints, and its id is the name of the folder of its files
     * @param folders the layouts of siemload on which a user's layout may be based
     * @param neededAlone the blocks that a layout without loading needs to search existing data; empty if there are no such layouts
     * @param translating returns, for a variant, the translator of searches
     */
    protected LayoutFormat(
            Syntax syntax,
            Product product,
            List<String> folders,
            Set<String> neededAlone,
            Function<Variant, BiConsumer<Search, PageClass>> translating) {
        this.syntax = syntax;
        this.product = product;
        this.folders = folders;
        this.neededAlone = neededAlone;
        this.translating = translating;
        this.statements = "statements" + syntax.ending();
    }

    /**
     * A layout that was read.
     *
     * @param blocks the blocks of the folder and of its base
     */
    public record Read(LayoutAbout about, Blocks blocks) {}

    private String resource(String file) {
        return "/siemload/database/" + product.id() + "/" + file;
    }

    private String text(String file) {
        return RegularFile.resource(LayoutFormat.class, resource(file));
    }

    private Blocks ofFolder(String folder) {
        return Blocks.ofResource(resource(folder + "/statements"), syntax);
    }

    /** Returns one of siemload's own layouts, by the name of its folder; each is read only once. */
    public final Read builtIn(String folder) {
        Read known = builtIn.get(folder);
        if (known == null) {
            String file = folder + "/" + LayoutFolder.ABOUT;
            known = read(file, text(file), ofFolder(folder), new Problems());
            builtIn.put(folder, known);
        }
        return known;
    }

    /**
     * Reads a user's layout.
     *
     * @throws siemload.config.ConfigException with all problems of its files
     */
    public final Read read(LayoutFolder folder) {
        Problems problems = new Problems();
        String about = folder.shown(LayoutFolder.ABOUT);
        String text = folder.files().getOrDefault(statements, syntax == Syntax.JSON ? "{}" : "");
        Blocks own = Blocks.of(folder.shown(statements), text, syntax, problems);
        Read read = read(about, folder.files().getOrDefault(LayoutFolder.ABOUT, ""), own, problems);
        check(read, own, new Origin.WholeFile(about), problems);
        problems.throwIfAny();
        return read;
    }

    /** @throws siemload.config.ConfigException with all problems of its blocks and of {@code layout.yaml} */
    private Read read(String file, String yaml, Blocks own, Problems problems) {
        LayoutAbout about = YamlNode.parse(file, yaml, problems, this::about);
        Blocks all = own;
        for (String base : about.base()) {
            all = all.or(ofFolder(base));
        }
        return new Read(about, all);
    }

    /** Keys without meaning in this kind of layout are never read, so they are reported as unknown. */
    private LayoutAbout about(YamlNode top) {
        String unused = top.required("description").text()
                + top.required("target").choice(Choices.names(List.of(product.id())));
        List<String> loadings = neededAlone.isEmpty() ? List.of("events") : List.of("events", "none");
        boolean alone = top.optional("loading")
                .map(loading -> loading.choice(Choices.names(loadings)))
                .filter("none"::equals)
                .isPresent();
        List<String> bases = list(top, "base", Choices.names(folders(alone)), alone ? List.of(ROWS) : List.of());
        boolean stands = alone || bases.isEmpty();
        LayoutAbout base = stands ? LayoutAbout.NOTHING : builtIn(bases.get(0)).about();
        Map<String, Hint> known = new LinkedHashMap<>();
        product.abilities().hints().forEach(hint -> known.put(hint.label(), hint));
        List<Hint> hints = Stream.concat(
                        Stream.of(Hint.NONE), list(top, "hints", new Choices<>(known), base.hints()).stream())
                .distinct()
                .toList();
        List<LayoutTable> tables = base.tables();
        Partitions partitions = base.partitions();
        String searched = "";
        if (syntax == Syntax.JSON && alone) {
            YamlNode written = top.required("index");
            String name = written.text();
            refusal(name).ifPresent(why -> written.problem("'" + name + "' " + why));
            searched = name;
        }
        if (syntax == Syntax.SQL && (stands || top.optional("tables").isPresent())) {
            tables = tables(top.required("tables"), alone);
        }
        if (syntax == Syntax.SQL && !alone) {
            partitions = top.optional("partitions")
                    .map(written -> written.choice(Choices.of(Partitions.class, Partitions::label)))
                    .orElse(partitions);
        }
        return new LayoutAbout(alone, hints, bases, tables, partitions, searched);
    }

    /** Returns why an existing index to search cannot have this name; empty if the name is possible. */
    protected Optional<String> refusal(String index) {
        return Optional.empty();
    }

    /** The layouts of siemload on which a user's layout may be based. */
    private List<String> folders(boolean alone) {
        return Stream.concat(folders.stream(), Stream.of(ROWS).filter(rows -> alone))
                .toList();
    }

    /** The choices in the list of a key, each allowed once; the defaults if the key is missing. */
    private static <T> List<T> list(YamlNode top, String key, Choices<T> choices, List<T> standard) {
        return top.optional(key)
                .map(list -> {
                    List<T> read = new ArrayList<>();
                    list.elements()
                            .forEach(element -> element.find(ValueType.choice(choices))
                                    .ifPresent(value -> {
                                        if (read.contains(value)) {
                                            element.problem("'" + element.written() + "' is listed twice (remove one)");
                                        }
                                        read.add(value);
                                    }));
                    return read;
                })
                .orElse(standard);
    }

    private static List<LayoutTable> tables(YamlNode written, boolean alone) {
        List<LayoutTable> tables = new ArrayList<>();
        written.entries().forEach((name, table) -> {
            requireName(written, name, alone);
            tables.add(table(name, table, alone));
        });
        List<Rows> rows = tables.stream().map(LayoutTable::rows).toList();
        if (rows.indexOf(Rows.EVENTS) != 0
                || rows.indexOf(Rows.ADDRESSES) < rows.lastIndexOf(Rows.ADDRESSES)
                || (alone && rows.contains(Rows.ADDRESSES))) {
            written.problem("do not describe how events are found (needed: first a table with a row for each event;"
                    + " also allowed: one with a row for each address, if siemload loads the events)");
        }
        return tables;
    }

    private static LayoutTable table(String name, YamlNode table, boolean alone) {
        Rows rows = table.optional("rows")
                .map(written -> written.choice(Choices.camelCase(Rows.class)))
                .orElse(Rows.EVENTS);
        Map<String, EventField> fields = new LinkedHashMap<>();
        Stream.of(EventField.values())
                .filter(field -> field.fits(rows))
                .forEach(field -> fields.put(field.label(), field));
        YamlNode columns = table.required("columns");
        Map<String, EventField> filled = new LinkedHashMap<>();
        columns.entries().forEach((column, field) -> {
            requireName(columns, column, alone);
            filled.put(column, field.choice(new Choices<>(fields)));
        });
        if (!alone && !filled.containsValue(EventField.ID)) {
            columns.problem("no column is filled by id (needed: one column, to find the rows of an event)");
        }
        return new LayoutTable(name, rows, filled);
    }

    /** Names of existing tables may be any that the database has: they are only compared with those of its plans. */
    private static void requireName(YamlNode mapping, String name, boolean alone) {
        if (!alone && !name.matches("[a-z][a-z0-9_]{0,49}")) {
            mapping.problemWithKey(
                    name,
                    "cannot be a name here (allowed: up to 50 lower case letters, digits and '_', a letter first)");
        }
    }

    private void check(Read read, Blocks own, Origin yaml, Problems problems) {
        LayoutAbout about = read.about();
        boolean alone = about.isForSearchesAlone();
        // The most similar of siemload's own layouts: with a table of addresses and partitions by day if this has them.
        boolean hasAddresses = about.tables().stream().anyMatch(table -> table.rows() == Rows.ADDRESSES);
        String layout = folders.get(hasAddresses ? 1 : 0);
        Set<String> model =
                builtIn(folder(layout, about.partitions())).blocks().all().keySet();
        Set<String> known = new TreeSet<>(model);
        if (alone) {
            known.removeIf(name -> !name.startsWith(SearchConditions.PREFIX) && !name.startsWith("field-"));
            known.addAll(ofFolder(ROWS).all().keySet());
            known.addAll(neededAlone);
            known.add(ValueLines.BLOCK);
        }
        known.removeIf(name -> name.startsWith(LIKE) || kind(name).endsWith("-"));
        Set<String> kinds = known.stream().map(LayoutFormat::kind).collect(Collectors.toSet());
        Set<String> needed = new TreeSet<>(alone ? neededAlone : known);
        if (!alone) {
            List<String> ofTables = about.tables().stream()
                    .flatMap(table -> OF_TABLES.stream().map(what -> what + table.label()))
                    .toList();
            known.addAll(ofTables);
            needed.addAll(ofTables);
            Stream.of(IndexSet.values())
                    .map(set -> INDEXES + set.label())
                    .filter(model::contains)
                    .forEach(set -> known.addAll(List.of(set, set + "-address")));
            if (model.contains(INDEXES + IndexSet.NONE.label())
                    && read.blocks().all().keySet().stream().noneMatch(name -> name.startsWith(INDEXES))) {
                needed.add(INDEXES + IndexSet.NATIVE.label());
            }
        }
        needed.removeAll(read.blocks().all().keySet());
        for (String name : needed) {
            String remedy = "(write it, or set base to a layout of siemload that has it)";
            problems.add(yaml, "there is no block " + name + ", which the layout needs " + remedy);
        }
        if (!alone
                && own.find(REMOVE_DAY).isEmpty()
                && about.base().stream()
                        .limit(1)
                        .anyMatch(base -> !tableNames(builtIn(base).about()).equals(tableNames(about)))) {
            problems.add(
                    yaml,
                    "there is no block " + REMOVE_DAY
                            + " for these tables (write it: the base's block removes only rows of its own tables)");
        }
        new TreeMap<>(own.all()).forEach((name, block) -> {
            if (known.contains(name) || kinds.contains(kind(name))) {
                check(about, block, problems);
            } else {
                problems.add(
                        block.origin(),
                        "the block " + block.written() + " is not used in this layout ("
                                + Choices.suggestion(name, known) + "remove it)");
            }
        });
    }

    private static List<String> tableNames(LayoutAbout about) {
        return about.tables().stream().map(LayoutTable::name).sorted().toList();
    }

    private void check(LayoutAbout about, Blocks.Block block, Problems problems) {
        Optional<String> wrong;
        try {
            Set<String> allowed = allowed(about, block.name());
            wrong = names(block).stream()
                    .filter(name -> !allowed.contains(name))
                    .findFirst()
                    .map(name -> "has the name " + name + ", which is unknown here ("
                            + Choices.names(allowed).help(name)
                            + (syntax == Syntax.SQL ? "; a colon starts a name unless another one precedes it)" : ")"))
                    .or(() -> wrong(block));
        } catch (IllegalArgumentException unreadable) {
            wrong = Optional.of(String.valueOf(unreadable.getMessage()));
        }
        wrong.ifPresent(what -> problems.add(block.origin(), block.written() + " " + what));
    }

    /** The placeholders in a block. @throws IllegalArgumentException if the block is unreadable; its message ends a sentence */
    protected List<String> names(Blocks.Block block) {
        return block.names();
    }

    /** Returns any other fault of a block, as the end of a sentence that begins with its name; empty if none is found. */
    protected abstract Optional<String> wrong(Blocks.Block block);

    /** Returns the placeholders that a block of such a layout may have beyond those in siemload's blocks of its kind. */
    protected Set<String> furtherNames(LayoutAbout about, String block) {
        return Set.of();
    }

    private Set<String> allowed(LayoutAbout about, String name) {
        Set<String> allowed = new TreeSet<>(furtherNames(about, name));
        folders(about.isForSearchesAlone()).stream()
                .flatMap(folder -> ofFolder(folder).all().values().stream())
                .filter(block -> kind(block.name()).equals(kind(name)))
                .flatMap(block -> names(block).stream())
                .forEach(allowed::add);
        return allowed;
    }

    /** The kind of a block: its name without side, family, table or index set. Blocks of one kind may contain the same placeholders. */
    private static String kind(String block) {
        return Stream.concat(Stream.of(INDEXES), OF_TABLES.stream())
                .filter(block::startsWith)
                .findFirst()
                .orElseGet(() -> block.replaceFirst("^" + LIKE, "")
                        .replaceFirst("^condition-(?:source-|target-)?", SearchConditions.PREFIX)
                        .replaceFirst("^condition-ip[46]", "condition-address"));
    }

    /** The folder of siemload's own layout with this name and these partitions. */
    public static String folder(String layout, Partitions partitions) {
        return partitions == Partitions.DAY ? layout + "-day" : layout;
    }

    @Override
    public final Abilities abilities(LayoutFolder layout) {
        Abilities usual = product.abilities();
        Read read = read(layout);
        Set<String> model = builtIn(folders.get(0)).blocks().all().keySet();
        // The layout offers the index sets whose block it has, or that need no block.
        List<IndexSet> sets = usual.indexSets().stream()
                .filter(set ->
                        read.blocks().find(INDEXES + set.label()).isPresent() || !model.contains(INDEXES + set.label()))
                .toList();
        return new Abilities(
                List.of(layout.label()),
                List.of(read.about().partitions()),
                read.about().isForSearchesAlone() ? List.of(IndexSet.NATIVE) : sets,
                read.about().hints(),
                usual.pagings(),
                usual.provisions(),
                usual.bytesPerEvent());
    }

    @Override
    public final boolean isForSearchesAlone(LayoutFolder layout) {
        return read(layout).about().isForSearchesAlone();
    }

    @Override
    public final BiFunction<Search, PageClass, Optional<String>> missing(Variant variant) {
        BiConsumer<Search, PageClass> asked = translating.apply(variant);
        return (search, page) -> {
            try {
                asked.accept(search, page);
            } catch (Blocks.MissingBlockException without) {
                return Optional.of(without.block);
            } catch (SearchException told) {
                // A value that cannot be searched for is reported later, when the search runs.
            }
            return Optional.empty();
        };
    }

    @Override
    public final SortedMap<String, String> files(String layout, Partitions partitions) {
        SortedMap<String, String> files = new TreeMap<>();
        for (String file : List.of(LayoutFolder.ABOUT, statements)) {
            files.put(file, text(folder(layout, partitions) + "/" + file));
        }
        return files;
    }

    /**
     * The contents of {@code layout.yaml}. Immutable.
     *
     * @param isForSearchesAlone whether the layout describes existing events, and neither loads nor feeds any
     * @param hints that it supports, none first
     * @param base the folders of siemload that provide missing blocks, in order; the first one also provides missing keys of {@code
     *     layout.yaml}
     * @param tables the first one has a row for each event; each comes after those that it refers to; empty if a database has no tables
     * @param partitions how tables are partitioned
     * @param searched the existing index to search; else empty
     */
    public record LayoutAbout(
            boolean isForSearchesAlone,
            List<Hint> hints,
            List<String> base,
            List<LayoutTable> tables,
            Partitions partitions,
            String searched) {
        /** The defaults of a layout without a base. */
        static final LayoutAbout NOTHING =
                new LayoutAbout(false, List.of(Hint.NONE), List.of(), List.of(), Partitions.NONE, "");

        /** Returns whether the rows of each day have their own partition. */
        public boolean isByDay() {
            return partitions == Partitions.DAY;
        }

        /**
         * A table of a layout. Immutable.
         *
         * @param columns the field that fills each column, in order, except for columns that the server fills
         */
        public record LayoutTable(String name, Rows rows, Map<String, EventField> columns) {

            public LayoutTable {
                columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
            }

            public enum Rows {
                EVENTS,
                /** A row for each address of an event and its side. */
                ADDRESSES
            }

            public String columnNames() {
                return String.join(", ", columns.keySet());
            }

            /** The table's name as a part of block names: {@code events-json}. */
            public String label() {
                return name.replace('_', '-');
            }
        }
    }

    /** Collects the values that the query of the block {@code values} returns for one kind, line by line. Used by one thread. */
    public static final class ValueLines {
        public static final String BLOCK = "values";

        private static final Choices<ValueField> KINDS = Choices.of(ValueField.class, ValueField::label);

        private final ValueField field;
        private final List<CountedValue> values = new ArrayList<>();

        /** Returns the field of this kind of values, in which {@link #wrong} finds no fault. */
        public static ValueField field(String kind) {
            return KINDS.find(kind).orElseThrow();
        }

        /** @param field of the values */
        public ValueLines(ValueField field) {
            this.field = field;
        }

        /** Returns the fault of queries for these kinds of values, as the end of a sentence; empty if they have no fault. */
        public static Optional<String> wrong(Collection<?> kinds) {
            List<String> seen = new ArrayList<>();
            for (Object written : kinds) {
                String kind = String.valueOf(written);
                if (KINDS.find(kind).isEmpty()) {
                    return Optional.of("has '" + kind + "', which is not a kind of values (" + KINDS.help(kind) + ")");
                } else if (seen.contains(kind)) {
                    return Optional.of("has two queries for " + kind + " (remove one)");
                }
                seen.add(kind);
            }
            return Optional.empty();
        }

        /**
         * Takes a line.
         *
         * @param value to search for
         * @param events in how many events it occurs
         * @param beside the line's other columns, by their keys; a column without a value is empty
         * @throws TargetException if the value cannot be searched for
         */
        public void add(String value, long events, Map<String, Optional<String>> beside) {
            refuse(field.refusal(value));
            Map<ValueField, String> known = new EnumMap<>(ValueField.class);
            new TreeMap<>(beside).forEach((key, text) -> {
                ValueField kind = field.beside().stream()
                        .filter(one -> one.label().equals(key))
                        .findFirst()
                        .orElseThrow(() -> wrong("has the key '" + key + "' (allowed: value, events"
                                + field.beside().stream()
                                        .map(one -> ", " + one.label())
                                        .collect(Collectors.joining())
                                + ")"));
                text.filter(found -> !found.isEmpty()).ifPresent(found -> {
                    refuse(kind.refusal(found));
                    known.put(kind, found);
                });
            });
            values.add(new CountedValue(value, events, known));
        }

        private void refuse(Optional<String> why) {
            why.ifPresent(refusal -> {
                throw wrong(refusal);
            });
        }

        /** Returns all values taken. @throws TargetException if no line was taken */
        public List<CountedValue> all() {
            if (values.isEmpty()) {
                throw wrong("returns no line (remove the query, and searches for its values)");
            }
            return List.copyOf(values);
        }

        public String place() {
            return BLOCK + ", query " + field.label();
        }

        public TargetException wrong(String what) {
            return new TargetException(place() + ": " + what);
        }
    }
}
