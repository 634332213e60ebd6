package siemload.database.layout;

import java.util.LinkedHashSet;
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
import siemload.database.Abilities;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.ResourceFile;
import siemload.database.SearchException;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * How the layouts of one database are read, and which blocks they need: the same as siemload's own ones have, so that there is no second
 * list. Immutable and thread-safe.
 */
public abstract class LayoutFormat {
    /** How the names of blocks begin that make the indexes of a set. */
    public static final String INDEXES = "indexes-";

    /** Before the name of one of siemload's blocks that nothing reads: it has the names that those of users may have beside its own. */
    private static final String LIKE = "^like-";

    /** What is done with each table, in blocks whose names begin so. */
    private static final List<String> OF_TABLES = List.of("table", "contents", "insert", "delete-day");

    private final Syntax syntax;
    private final Vocabulary vocabulary;
    private final Rules rules;
    private final String statements;
    private final Map<String, Read> builtIn = new ConcurrentHashMap<>();

    /** That of a database. */
    protected LayoutFormat(Syntax syntax, Vocabulary vocabulary, Rules rules) {
        this.syntax = syntax;
        this.vocabulary = vocabulary;
        this.rules = rules;
        this.statements = "statements" + syntax.ending();
    }

    /**
     * Names of blocks that have a rule of their own.
     *
     * @param ofLoading of siemload's own layouts, which no search reads
     * @param optional what one that loads may have or not
     * @param alone what one for searches alone may have beside the blocks of siemload's own ones
     * @param neededAlone those of all that it may have without which it cannot search what others have made
     */
    public record Rules(Set<String> ofLoading, Set<String> optional, Set<String> alone, Set<String> neededAlone) {}

    /**
     * What was read.
     *
     * @param blocks those of the folder and of its base
     */
    public record Read(LayoutAbout about, Blocks blocks) {}

    private String resource(String file) {
        return "/siemload/database/" + vocabulary.target() + "/" + file;
    }

    private String text(String file) {
        return ResourceFile.text(LayoutFormat.class, resource(file));
    }

    private Blocks ofFolder(String folder) {
        return Blocks.ofResource(resource(folder + "/statements"), syntax);
    }

    /** One of siemload's own, by the name of its folder; read once. */
    public final Read builtIn(String folder) {
        Read known = builtIn.get(folder);
        if (known == null) {
            String file = folder + "/" + LayoutFolder.ABOUT;
            LayoutAbout about = vocabulary.read(
                    file, text(file), new Problems(), base -> builtIn(base).about());
            known = new Read(about, withBases(ofFolder(folder), about));
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
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        LayoutAbout about = vocabulary.read(
                folder.shown(LayoutFolder.ABOUT),
                yaml,
                problems,
                base -> builtIn(base).about());
        String text = folder.files().getOrDefault(statements, syntax == Syntax.JSON ? "{}" : "");
        Blocks own = Blocks.of(folder.shown(statements), text, syntax, problems);
        Blocks all = withBases(own, about);
        if (problems.isEmpty()) {
            check(about, own, all, new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT)), problems);
        }
        problems.throwIfAny();
        return new Read(about, all);
    }

    private Blocks withBases(Blocks own, LayoutAbout about) {
        Blocks all = own;
        for (String base : about.base()) {
            all = all.or(ofFolder(base));
        }
        return all;
    }

    private void check(LayoutAbout about, Blocks own, Blocks all, Origin yaml, Problems problems) {
        for (String name : new TreeSet<>(needed(about))) {
            if (all.find(name).isEmpty()) {
                problems.add(
                        yaml,
                        "there is no block " + name + ", which the layout needs" + purpose(name, about)
                                + " (write it, or name a layout of siemload's that has it as base)");
            }
        }
        own.all().forEach((name, block) -> {
            if (isKnown(name, about)) {
                check(about, block, problems);
            } else {
                Set<String> known = usual(about);
                known.addAll(needed(about));
                problems.add(
                        block.origin(),
                        "nothing reads a block " + block.written() + " in this layout ("
                                + NearestName.among(name, List.copyOf(known))
                                        .map(near -> "did you mean " + near + "? else ")
                                        .orElse("")
                                + "remove it)");
            }
        });
        if (problems.isEmpty()) {
            missing(about, all).forEach(problem -> problems.add(yaml, problem));
        }
    }

    private void check(LayoutAbout about, Block block, Problems problems) {
        try {
            Set<String> allowed = allowed(about, block.name());
            for (Place place : names(block)) {
                if (!allowed.contains(place.name())) {
                    problems.add(
                            block.origin(place.offset()),
                            block.written() + ": the name " + place.name() + " is unknown here ("
                                    + (allowed.isEmpty()
                                            ? "allowed: none"
                                            : Choices.names(allowed).help(place.name()))
                                    + (syntax == Syntax.SQL
                                            ? "; a colon that begins no name has another one before it)"
                                            : ")"));
                    return;
                }
            }
            wrong(about, block).ifPresent(what -> problems.add(block.origin(), block.written() + " " + what));
        } catch (JsonTemplate.BadTemplateException bad) {
            problems.add(block.origin(bad.offset()), block.written() + ": " + bad.getMessage());
        }
    }

    /** The names in a block. @throws JsonTemplate.BadTemplateException if the block cannot be read */
    protected List<Place> names(Block block) {
        return block.places();
    }

    /** What else is wrong with a block, as the end of a sentence that begins with its name; empty if nothing is. */
    protected abstract Optional<String> wrong(LayoutAbout about, Block block);

    /** What blocks lack that are right each for itself. */
    protected List<String> missing(LayoutAbout about, Blocks all) {
        return List.of();
    }

    /** Siemload's own layout that is most like one of a user's: with a table of addresses or without, cut into days or not. */
    private Blocks model(LayoutAbout about) {
        return builtIn(folder(vocabulary.folders().get(about.hasAddressTable() ? 1 : 0), about.partitions()))
                .blocks();
    }

    /** Names that may stand in a block of such a layout beside those of siemload's blocks of its kind. */
    protected Set<String> furtherNames(LayoutAbout about, String block) {
        return Set.of();
    }

    private Set<String> allowed(LayoutAbout about, String name) {
        List<String> kinds = kinds(name, about.tables());
        Set<String> allowed = syntax == Syntax.JSON ? new TreeSet<>() : new LinkedHashSet<>();
        folders(about)
                .flatMap(folder -> ofFolder(folder).all().values().stream())
                .filter(block -> kinds.containsAll(kinds(block.name().replaceFirst(LIKE, ""), List.of())))
                .flatMap(block -> names(block).stream())
                .forEach(place -> allowed.add(place.name()));
        allowed.addAll(furtherNames(about, name));
        return allowed;
    }

    /**
     * What a block is, whatever side, family or table it is for: those of one kind may have the same names in them. An address and a port on one
     * side are of two.
     */
    private static List<String> kinds(String block, List<LayoutTable> tables) {
        if (tableOf(block, tables).isPresent()) {
            return OF_TABLES.stream()
                    .filter(what -> block.startsWith(what + "-"))
                    .map(what -> what + "-events")
                    .toList();
        }
        String kind = block.replaceFirst("^condition-(?:source-|target-)?", SearchConditions.PREFIX);
        return kind.startsWith("condition-one-side")
                ? List.of("condition-address", "condition-port")
                : List.of(kind.replaceFirst("^condition-ip[46]", "condition-address"));
    }

    private Stream<String> folders(LayoutAbout about) {
        return Stream.concat(
                vocabulary.folders().stream(), Stream.of(LayoutAbout.ROWS).filter(rows -> about.isForSearchesAlone()));
    }

    /** The names of siemload's blocks for such a layout that belong neither to a table nor to an index set. */
    private Set<String> usual(LayoutAbout about) {
        Set<String> names = new TreeSet<>(model(about).names());
        if (about.isForSearchesAlone()) {
            names.addAll(ofFolder(LayoutAbout.ROWS).names());
            names.removeAll(rules.ofLoading);
            names.addAll(rules.alone);
            names.add(ValueLines.BLOCK);
        }
        names.removeIf(name -> name.matches(LIKE + ".*") || isOfTableOrIndexes(name));
        return names;
    }

    private static boolean isOfTableOrIndexes(String name) {
        return name.startsWith(INDEXES) || OF_TABLES.stream().anyMatch(what -> name.startsWith(what + "-"));
    }

    /** The names of the blocks that a layout cannot do without. */
    private Set<String> needed(LayoutAbout about) {
        if (about.isForSearchesAlone()) {
            Set<String> needed = new TreeSet<>(rules.neededAlone);
            // What stands in the blocks of its base.
            about.base().stream()
                    .flatMap(base -> ofFolder(base).written().stream())
                    .flatMap(block -> block.places().stream())
                    .map(place -> place.name().substring(1))
                    .filter(rules.alone::contains)
                    .forEach(needed::add);
            return needed;
        }
        Set<String> needed = usual(about);
        needed.removeAll(rules.optional);
        for (LayoutTable table : about.tables()) {
            OF_TABLES.stream()
                    .filter(what -> !what.equals("delete-day") || !about.isByDay())
                    .forEach(what -> needed.add(table.block(what)));
        }
        Set<String> built = model(about).names();
        about.indexSets().stream()
                .map(set -> INDEXES + set.label())
                .filter(built::contains)
                .forEach(needed::add);
        return needed;
    }

    /** Whether siemload reads a block of this name. */
    private boolean isKnown(String name, LayoutAbout about) {
        if (isOfTableOrIndexes(name)) {
            return needed(about).contains(name)
                    || tableOf(name, about.tables())
                            .filter(table -> !about.isForSearchesAlone())
                            .isPresent()
                    || (rules.optional.contains(name)
                            && about.indexSets().stream().anyMatch(set -> name.startsWith(INDEXES + set.label())));
        }
        return usual(about).stream()
                .flatMap(usual -> kinds(usual, List.of()).stream())
                .collect(Collectors.toSet())
                .containsAll(kinds(name, List.of()));
    }

    private static Optional<LayoutTable> tableOf(String block, List<LayoutTable> tables) {
        return tables.stream()
                .filter(table -> OF_TABLES.stream().map(table::block).anyMatch(block::equals))
                .findFirst();
    }

    private static String purpose(String block, LayoutAbout about) {
        String set = block.startsWith(INDEXES) ? " for its index set " + block.substring(INDEXES.length()) : "";
        return tableOf(block, about.tables())
                .map(table -> " for its table " + table.name())
                .orElse(set);
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
                return read(layout).about().abilities(layout, usual);
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
