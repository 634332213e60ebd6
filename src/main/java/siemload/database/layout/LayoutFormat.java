package siemload.database.layout;

import java.util.ArrayList;
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
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.ResourceFile;
import siemload.database.SearchException;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.LayoutTable.Rows;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * How the layouts of one database are read, and which blocks they need: the same as siemload's own ones have, so that there is no second
 * list. Immutable and thread-safe.
 */
public abstract class LayoutFormat {
    /** How the names of blocks begin that make the indexes of a set. */
    public static final String INDEXES = "indexes-";

    /** What is done with each table, in blocks whose names begin so. */
    private static final List<String> OF_TABLES = List.of("table-", "contents-", "insert-", "delete-day-");

    /** Before the name of one of siemload's blocks that nothing reads: it has the names that those of users may have beside its own. */
    private static final String LIKE = "like-";

    /** Files for searches over what others have made: a base of layouts without loading, and no layout by itself. */
    private static final String ROWS = "rows";

    private final Syntax syntax;
    private final Vocabulary vocabulary;
    private final String statements;
    private final Map<String, Read> builtIn = new ConcurrentHashMap<>();

    /** That of a database. */
    protected LayoutFormat(Syntax syntax, Vocabulary vocabulary) {
        this.syntax = syntax;
        this.vocabulary = vocabulary;
        this.statements = "statements" + syntax.ending();
    }

    /**
     * What the files of one database may say. Immutable.
     *
     * @param target the name of the database
     * @param hints which its searches can be given, the default first
     * @param folders the layouts of siemload that one of a user's own may rest on
     * @param optional blocks that a layout that loads may have or not
     * @param neededAlone blocks without which one for searches alone cannot search what others have made
     * @param searched the key that names what is searched without loading, or {@link #TABLES}; empty where nothing is
     * @param refusal why that cannot be its name
     */
    public record Vocabulary(
            String target,
            List<Hint> hints,
            List<String> folders,
            Set<String> optional,
            Set<String> neededAlone,
            String searched,
            Function<String, Optional<String>> refusal) {
        /** The key of the tables that a database has. */
        public static final String TABLES = "tables";
    }

    /**
     * What was read.
     *
     * @param blocks those of the folder and of its base
     */
    public record Read(LayoutAbout about, Blocks blocks) {}

    private String text(String file) {
        return ResourceFile.text(LayoutFormat.class, "/siemload/database/" + vocabulary.target() + "/" + file);
    }

    private Blocks ofFolder(String folder) {
        return Blocks.ofResource("/siemload/database/" + vocabulary.target() + "/" + folder + "/statements", syntax);
    }

    /** One of siemload's own, by the name of its folder; read once. */
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
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
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

    /** @throws siemload.config.ConfigException with all problems, be they of its blocks or of what it says of itself */
    private Read read(String file, String yaml, Blocks own, Problems problems) {
        LayoutAbout about = YamlDocument.parse(file, yaml, problems, this::about);
        Blocks all = own;
        for (String base : about.base()) {
            all = all.or(ofFolder(base));
        }
        return new Read(about, all);
    }

    /** A key that means nothing here is not asked for, and so it is an unknown one. */
    private LayoutAbout about(YamlNode top) {
        String unused =
                top.required("description").text() + top.required("target").choice(names(vocabulary.target()));
        boolean alone = top.optional("loading")
                .map(loading ->
                        loading.choice(vocabulary.searched().isEmpty() ? names("events") : names("events", "none")))
                .filter("none"::equals)
                .isPresent();
        boolean hasTables = vocabulary.searched().equals(Vocabulary.TABLES);
        Stream<String> folder =
                Stream.concat(vocabulary.folders().stream(), Stream.of(ROWS).filter(rows -> alone));
        List<String> bases =
                list(top, "base", names(folder.toArray(String[]::new))).orElse(alone ? List.of(ROWS) : List.of());
        Optional<LayoutAbout> base = bases.stream()
                .filter(name -> !alone)
                .findFirst()
                .map(name -> builtIn(name).about());
        Map<String, Hint> known = new LinkedHashMap<>();
        vocabulary.hints().forEach(hint -> known.put(hint.label(), hint));
        List<Hint> hints = list(top, "hints", new Choices<>(known))
                .or(() -> base.map(LayoutAbout::hints))
                .orElse(List.of(Hint.NONE));
        if (hints.get(0) != Hint.NONE) {
            top.required("hints")
                    .problem("begins with '" + hints.get(0).label()
                            + "' (needed: none first, since a run that asks for no hint has none)");
        }
        if (!alone && base.isEmpty()) {
            top.required("indexes");
        }
        Optional<YamlNode> tables = Optional.of(top)
                .filter(asked -> hasTables)
                .flatMap(asked -> base.isPresent()
                        ? asked.optional(Vocabulary.TABLES)
                        : Optional.of(asked.required(Vocabulary.TABLES)));
        return new LayoutAbout(
                alone,
                Optional.of(Choices.of(IndexSet.class, IndexSet::label))
                        .filter(sets -> !alone)
                        .flatMap(sets -> list(top, "indexes", sets))
                        .or(() -> base.map(LayoutAbout::indexSets))
                        .orElse(List.of(IndexSet.NATIVE)),
                hints,
                bases,
                tables.map(written -> tables(written, alone))
                        .or(() -> base.map(LayoutAbout::tables))
                        .orElse(List.of()),
                Optional.of(top)
                        .filter(asked -> hasTables && !alone)
                        .flatMap(asked -> asked.optional("partitions"))
                        .map(written -> written.choice(Choices.of(Partitions.class, Partitions::label)))
                        .or(() -> base.map(LayoutAbout::partitions))
                        .orElse(Partitions.NONE),
                alone && !hasTables ? searched(top.required(vocabulary.searched())) : "");
    }

    private static Choices<String> names(String... names) {
        return Choices.names(List.of(names));
    }

    private String searched(YamlNode written) {
        String name = written.text();
        vocabulary.refusal().apply(name).ifPresent(why -> written.problem("'" + name + "' " + why));
        return name;
    }

    /** Each of these once. */
    private static <T> Optional<List<T>> list(YamlNode top, String key, Choices<T> choices) {
        Optional<List<T>> values = top.optional(key).map(list -> {
            List<T> read = new ArrayList<>();
            for (YamlNode element : list.elements()) {
                element.find(ValueType.choice(choices)).ifPresent(value -> {
                    if (read.contains(value)) {
                        element.problem("'" + element.written() + "' stands here twice (leave one out)");
                    }
                    read.add(value);
                });
            }
            if (list.isList() && list.elements().isEmpty() && !key.equals("base")) {
                list.problem("is empty (needed: at least one; the first is the default)");
            }
            return read;
        });
        return values.filter(list -> !list.isEmpty() || key.equals("base"));
    }

    private static List<LayoutTable> tables(YamlNode written, boolean alone) {
        List<LayoutTable> tables = new ArrayList<>();
        written.entries().forEach((name, table) -> {
            requireName(written, name);
            tables.add(table(name, table, alone));
        });
        List<Rows> rows = tables.stream().map(LayoutTable::rows).toList();
        if (rows.indexOf(Rows.EVENTS) != 0
                || rows.indexOf(Rows.ADDRESSES) < rows.lastIndexOf(Rows.ADDRESSES)
                || (alone && rows.contains(Rows.ADDRESSES))) {
            written.problem("do not say how events are found (needed: first one with a row for each event; allowed"
                    + " beside it: one with a row for each address, where siemload loads them)");
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
            requireName(columns, column);
            filled.put(column, field.choice(new Choices<>(fields)));
        });
        if (!alone && !filled.containsValue(EventField.ID)) {
            columns.problem("no column is filled by id (needed: one, by which the rows of an event are found)");
        }
        return new LayoutTable(name, rows, filled);
    }

    private static void requireName(YamlNode mapping, String name) {
        if (!name.matches("[a-z][a-z0-9_]{0,49}")) {
            mapping.problemWithKey(
                    name,
                    "cannot be a name here (allowed: up to 50 lower case letters, digits and '_', a letter first)");
        }
    }

    private void check(Read read, Blocks own, Origin yaml, Problems problems) {
        LayoutAbout about = read.about();
        Set<String> model = model(about);
        Set<String> known = usual(about, model);
        Set<String> kinds = known.stream().map(LayoutFormat::kind).collect(Collectors.toSet());
        Set<String> needed = new TreeSet<>(about.isForSearchesAlone() ? vocabulary.neededAlone : known);
        if (!about.isForSearchesAlone()) {
            needed.removeAll(vocabulary.optional);
            for (LayoutTable table : about.tables()) {
                OF_TABLES.forEach(what -> known.add(what + table.label()));
                OF_TABLES.stream()
                        .filter(what -> !(about.isByDay() && what.startsWith("delete")))
                        .forEach(what -> needed.add(what + table.label()));
            }
            for (IndexSet set : about.indexSets()) {
                known.addAll(List.of(INDEXES + set.label(), INDEXES + set.label() + "-address"));
                Stream.of(INDEXES + set.label()).filter(model::contains).forEach(needed::add);
            }
        }
        for (String name : needed) {
            if (read.blocks().find(name).isEmpty()) {
                problems.add(
                        yaml,
                        "there is no block " + name
                                + ", which the layout needs (write it, or name a layout of siemload's"
                                + " that has it as base)");
            }
        }
        own.all().forEach((name, block) -> {
            if (known.contains(name) || kinds.contains(kind(name))) {
                check(about, block, problems);
            } else {
                problems.add(
                        block.origin(),
                        "nothing reads a block " + block.written() + " in this layout ("
                                + NearestName.suggestion(name, known) + "leave it out)");
            }
        });
    }

    private void check(LayoutAbout about, Block block, Problems problems) {
        try {
            Set<String> allowed = allowed(about, block.name());
            for (Place place : names(block)) {
                if (!allowed.contains(place.name())) {
                    problems.add(
                            block.origin(place.offset()),
                            block.written() + ": the name " + place.name() + " is unknown here ("
                                    + Choices.names(allowed).help(place.name())
                                    + (syntax == Syntax.SQL
                                            ? "; a colon that begins no name has another one before it)"
                                            : ")"));
                    return;
                }
            }
            wrong(block).ifPresent(what -> problems.add(block.origin(), block.written() + " " + what));
        } catch (JsonTemplate.BadTemplateException bad) {
            problems.add(block.origin(bad.offset()), block.written() + ": " + bad.getMessage());
        }
    }

    /** The names in a block. @throws JsonTemplate.BadTemplateException if the block cannot be read */
    protected List<Place> names(Block block) {
        return block.places();
    }

    /** What else is wrong with a block, as the end of a sentence that begins with its name; empty if nothing is. */
    protected abstract Optional<String> wrong(Block block);

    /** Names that may stand in a block of such a layout beside those of siemload's blocks of its kind. */
    protected Set<String> furtherNames(LayoutAbout about, String block) {
        return Set.of();
    }

    private Set<String> allowed(LayoutAbout about, String name) {
        Set<String> allowed = new TreeSet<>(furtherNames(about, name));
        Stream.concat(vocabulary.folders().stream(), Stream.of(ROWS).filter(rows -> about.isForSearchesAlone()))
                .flatMap(folder -> ofFolder(folder).all().values().stream())
                .filter(block -> kind(block.name()).equals(kind(name)))
                .flatMap(block -> names(block).stream())
                .forEach(place -> allowed.add(place.name()));
        return allowed;
    }

    /** What a block is, whatever side, family, table or index set it is for: those of one kind may have the same names in them. */
    private static String kind(String block) {
        return Stream.concat(Stream.of(INDEXES), OF_TABLES.stream())
                .filter(block::startsWith)
                .findFirst()
                .orElseGet(() -> block.replaceFirst("^" + LIKE, "")
                        .replaceFirst("^condition-(?:source-|target-)?", SearchConditions.PREFIX)
                        .replaceFirst("^condition-ip[46]", "condition-address"));
    }

    /** The names in siemload's own layout that is most like one of a user's: with a table of addresses or without, cut into days or not. */
    private Set<String> model(LayoutAbout about) {
        String layout = vocabulary.folders().get(about.hasAddressTable() ? 1 : 0);
        return builtIn(folder(layout, about.partitions())).blocks().names();
    }

    /** The names of siemload's blocks for such a layout that belong neither to a table nor to an index set. */
    private Set<String> usual(LayoutAbout about, Set<String> model) {
        Set<String> names = new TreeSet<>(model);
        if (about.isForSearchesAlone()) {
            names.removeIf(name -> !name.startsWith(SearchConditions.PREFIX) && !name.startsWith("field-"));
            names.addAll(ofFolder(ROWS).names());
            names.addAll(vocabulary.neededAlone);
            names.add(ValueLines.BLOCK);
        }
        names.removeIf(name -> name.startsWith(LIKE) || kind(name).endsWith("-"));
        return names;
    }

    /** The folder of siemload's own layout with this name, cut into these partitions. */
    public static String folder(String layout, Partitions partitions) {
        return switch (partitions) {
            case NONE -> layout;
            case DAY -> layout + "-day";
        };
    }

    /**
     * The layouts of a target that reads those of users as its own ones.
     *
     * @param usual what the target offers with its own ones
     * @param translating what translates searches of a variant that users come to in some way
     */
    public final OwnLayouts own(Abilities usual, Function<Variant, BiConsumer<Search, PageClass>> translating) {
        return new OwnLayouts() {
            @Override
            public String statements() {
                return statements;
            }

            @Override
            public Abilities abilities(LayoutFolder layout) {
                LayoutAbout about = read(layout).about();
                return new Abilities(
                        List.of(layout.label()),
                        List.of(about.partitions()),
                        about.indexSets(),
                        about.hints(),
                        usual.pagings(),
                        usual.provisions(),
                        usual.bytesPerEvent());
            }

            @Override
            public boolean isForSearchesAlone(LayoutFolder layout) {
                return read(layout).about().isForSearchesAlone();
            }

            @Override
            public BiFunction<Search, PageClass, Optional<String>> missing(Variant variant) {
                BiConsumer<Search, PageClass> asked = translating.apply(variant);
                return (search, page) -> {
                    try {
                        asked.accept(search, page);
                    } catch (Blocks.MissingBlockException without) {
                        return Optional.of(without.block());
                    } catch (SearchException told) {
                        // Its value is one that cannot be asked for: that is told of the search when it is asked.
                    }
                    return Optional.empty();
                };
            }

            @Override
            public SortedMap<String, String> files(String layout, Partitions partitions) {
                SortedMap<String, String> files = new TreeMap<>();
                for (String file : List.of(LayoutFolder.ABOUT, statements)) {
                    files.put(file, text(folder(layout, partitions) + "/" + file));
                }
                return files;
            }
        };
    }
}
