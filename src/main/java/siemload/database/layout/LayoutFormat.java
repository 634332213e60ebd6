package siemload.database.layout;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.config.Choices;
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.ResourceFile;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.LayoutAbout.Vocabulary;

/**
 * How the layouts of one database are read, and which blocks they need: the same as siemload's own ones have, so that there is no second
 * list. Immutable and thread-safe.
 */
public abstract class LayoutFormat {
    /** How the names of blocks begin that make the indexes of a set. */
    public static final String INDEXES = "indexes-";

    private static final String BASE_LINE = "(?m)^base: .*\\R";

    private final String resources;
    private final Syntax syntax;
    private final Vocabulary vocabulary;

    /**
     * That of a database.
     *
     * @param resources where the folders of siemload's own layouts are, with {@code /} at both ends
     */
    protected LayoutFormat(String resources, Syntax syntax, Vocabulary vocabulary) {
        this.resources = resources;
        this.syntax = syntax;
        this.vocabulary = vocabulary;
    }

    /**
     * A name that stands in a block for something that is put in.
     *
     * @param written as it stands there
     */
    public record Named(String written, Origin origin) {}

    /**
     * What was read.
     *
     * @param yaml the text of {@code layout.yaml}
     * @param blocks those of the folder and of its base
     */
    public record Read(LayoutAbout about, String yaml, Blocks blocks) {}

    /** The blocks of one of siemload's folders alone. */
    public final Blocks ofFolder(String folder) {
        return Blocks.ofFolder(resources + folder, syntax);
    }

    /** One of siemload's own, by the name of its folder. */
    public final Read builtIn(String folder) {
        String yaml = ResourceFile.text(LayoutFormat.class, resources + folder + "/" + LayoutFolder.ABOUT);
        LayoutAbout about = vocabulary.read(folder + "/" + LayoutFolder.ABOUT, yaml, new Problems());
        return new Read(about, yaml, withBases(ofFolder(folder), about));
    }

    /**
     * One of a user's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    public final Read read(LayoutFolder folder) {
        Problems problems = new Problems();
        String yaml = folder.files().getOrDefault(LayoutFolder.ABOUT, "");
        LayoutAbout about = vocabulary.read(folder.shown(LayoutFolder.ABOUT), yaml, problems);
        Blocks own = Blocks.of(folder.files(), folder.shown(""), syntax, problems);
        Blocks all = withBases(own, about);
        if (problems.isEmpty()) {
            check(about, own, all, folder, problems);
        }
        problems.throwIfAny();
        return new Read(about, yaml, all);
    }

    private Blocks withBases(Blocks own, LayoutAbout about) {
        Blocks all = own;
        for (String base : about.base()) {
            all = all.or(ofFolder(base));
        }
        return all;
    }

    private void check(LayoutAbout about, Blocks own, Blocks all, LayoutFolder folder, Problems problems) {
        Origin yaml = new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT));
        for (String name : new TreeSet<>(needed(about))) {
            if (all.find(name).isEmpty()) {
                problems.add(
                        yaml,
                        "there is no block " + name + ", which the layout needs" + purpose(name, about)
                                + " (write it, or name a layout of siemload's that has it as base)");
            }
        }
        Set<String> known = new TreeSet<>(known(about));
        own.all().forEach((name, block) -> {
            if (known.contains(name)) {
                check(about, block, problems);
            } else {
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
            checkTogether(about, all, folder, problems);
        }
    }

    private void check(LayoutAbout about, Block block, Problems problems) {
        try {
            Set<String> allowed = new LinkedHashSet<>(allowed(about, block.name()));
            for (Named named : names(block)) {
                if (!allowed.contains(named.written())) {
                    problems.add(
                            named.origin(),
                            block.written() + ": the name " + named.written() + " is unknown here ("
                                    + (allowed.isEmpty()
                                            ? "allowed: none"
                                            : Choices.names(allowed).help(named.written()))
                                    + hintOfNames() + ")");
                    return;
                }
            }
            wrong(about, block).ifPresent(what -> problems.add(block.origin(), block.written() + " " + what));
        } catch (JsonTemplate.BadTemplateException bad) {
            Origin origin = bad.origin(block.file());
            problems.add(
                    origin instanceof Origin.WholeFile ? block.origin() : origin,
                    block.written() + ": " + bad.getMessage());
        }
    }

    /** The names in a block. @throws JsonTemplate.BadTemplateException if the block cannot be read */
    protected abstract List<Named> names(Block block);

    /** What is told beside an unknown name. */
    protected String hintOfNames() {
        return "";
    }

    /** The names that may stand in a known block, as they are written there. */
    protected abstract Set<String> allowed(LayoutAbout about, String block);

    /** What else is wrong with a block, as the end of a sentence that begins with its name; empty if nothing is. */
    protected abstract Optional<String> wrong(LayoutAbout about, Block block);

    /** Notes what is wrong with blocks that are right each for itself. */
    protected abstract void checkTogether(LayoutAbout about, Blocks all, LayoutFolder folder, Problems problems);

    /** The blocks of siemload's own layout that is most like one of a user's. */
    protected abstract Set<String> model(LayoutAbout about);

    /** What is done with each table, in blocks whose names begin so, and which layouts need them. */
    protected Map<String, Predicate<LayoutAbout>> ofTables() {
        return Map.of();
    }

    /** Blocks of the {@link #model} that no search reads. */
    protected abstract Set<String> ofLoading();

    /** Blocks without which no layout can search what others have made. */
    protected abstract Set<String> neededAlone(LayoutAbout about);

    /** Blocks that a layout may have beside those of the {@link #model}. */
    protected Set<String> optional(LayoutAbout about) {
        return Set.of();
    }

    /** Whether the set without indexes has a block, too. */
    protected boolean hasBlockWithoutIndexes() {
        return false;
    }

    private boolean isOfTableOrIndexes(String name) {
        return name.startsWith(INDEXES) || ofTables().keySet().stream().anyMatch(what -> name.startsWith(what + "-"));
    }

    /** The names of the blocks that a layout cannot do without. */
    private Set<String> needed(LayoutAbout about) {
        if (about.isForSearchesAlone()) {
            return neededAlone(about);
        }
        Set<String> needed = model(about).stream()
                .filter(name -> !isOfTableOrIndexes(name) && !optional(about).contains(name))
                .collect(Collectors.toSet());
        ofTables().forEach((what, isNeeded) -> {
            if (isNeeded.test(about)) {
                about.tables().forEach(table -> needed.add(table.block(what)));
            }
        });
        about.indexSets().stream()
                .filter(set -> set != IndexSet.NONE || hasBlockWithoutIndexes())
                .forEach(set -> needed.add(INDEXES + set.label()));
        return needed;
    }

    /** These, and those that it may have beside them. */
    private Set<String> known(LayoutAbout about) {
        Set<String> known = new TreeSet<>(needed(about));
        known.addAll(optional(about));
        known.addAll(SearchConditions.optional());
        if (about.isForSearchesAlone()) {
            model(about).stream()
                    .filter(name -> !isOfTableOrIndexes(name) && !ofLoading().contains(name))
                    .forEach(known::add);
            known.add(ValueLines.BLOCK);
        } else {
            about.tables().forEach(table -> ofTables().keySet().forEach(what -> known.add(table.block(what))));
        }
        return known;
    }

    private String purpose(String name, LayoutAbout about) {
        for (LayoutTable table : about.tables()) {
            if (name.endsWith("-" + table.name().replace('_', '-')) && isOfTableOrIndexes(name)) {
                return " for its table " + table.name();
            }
        }
        return name.startsWith(INDEXES) ? " for its index set " + name.substring(INDEXES.length()) : "";
    }

    /** All files of a layout, as a folder has them that needs no base. */
    public final SortedMap<String, String> copied(Read read) {
        SortedMap<String, String> files = read.blocks().written(known(read.about()), syntax);
        files.put(LayoutFolder.ABOUT, read.yaml().replaceAll(BASE_LINE, ""));
        return files;
    }
}
