package siemload.results.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is told of a run, an experiment or a search for a capacity: sections of tables, sentences and charts. It is told once; text,
 * Markdown and the page show the same, each as much of it as it has room for. Used by one thread.
 */
public final class Report {
    private static final int WIDTH = 110;
    private static final int MOST_LINES = 3;

    private final List<Section> sections = new ArrayList<>();

    /** Who is shown something; what a summary has, the others have too. */
    public enum Level {
        /** Everybody. */
        SUMMARY,
        /** Who reads all of the text, or the page. */
        TEXT,
        /** Who reads the page. */
        PAGE
    }

    /** A part of a section. */
    public sealed interface Block permits Table, Lines, Prose, Chart, Fold {
        /** Whether there is nothing to tell. */
        @JsonIgnore
        default boolean isEmpty() {
            return false;
        }
    }

    /** A sentence, and in a word what it is; text is empty where that word says all. */
    public record Line(String label, String text) {
        /** As a terminal shows it. */
        String plain() {
            return shown(Function.identity(), Function.identity());
        }

        /** As text and Markdown have it. */
        String shown(Function<String, String> asLabel, Function<String, String> asText) {
            String before = label.isEmpty() ? "" : asLabel.apply(label) + (text.isEmpty() ? "" : ": ");
            return before + asText.apply(text);
        }
    }

    /**
     * Sentences in their order.
     *
     * @param what they are, where a summary has room for some of them only; empty where it shows all
     */
    public record Lines(String title, String what, List<Line> lines) implements Block {
        public Lines {
            lines = List.copyOf(lines);
        }

        /** Sentences under a title, all of them with this label. */
        public static Lines of(String title, String label, List<String> sentences) {
            return new Lines(
                    title,
                    "",
                    sentences.stream().map(text -> new Line(label, text)).toList());
        }

        @Override
        public boolean isEmpty() {
            return lines.isEmpty();
        }
    }

    /** A sentence, or some. */
    public record Prose(String prose) implements Block {
        @Override
        public boolean isEmpty() {
            return prose.isEmpty();
        }
    }

    /** What a page draws by itself, by its name. */
    public record Chart(String chart) implements Block {}

    /** What a page and Markdown show when somebody asks for it. */
    public record Fold(String fold, List<Block> blocks) implements Block {
        public Fold {
            blocks = blocks.stream().filter(block -> !block.isEmpty()).toList();
        }

        @Override
        public boolean isEmpty() {
            return blocks.isEmpty();
        }
    }

    private record Told(Level level, Block block) {}

    private record Section(String id, String title, List<Told> told) {}

    /** Begins a section; one in which nothing is told is left out. */
    public Report section(String id, String title) {
        sections.add(new Section(id, title, new ArrayList<>()));
        return this;
    }

    /** Adds to the section that was begun last; empty blocks are left out. */
    public Report add(Level level, Block... blocks) {
        Arrays.stream(blocks)
                .filter(block -> !block.isEmpty())
                .forEach(block -> sections.get(sections.size() - 1).told.add(new Told(level, block)));
        return this;
    }

    private List<Block> blocks(Section section, Level level) {
        return section.told.stream()
                .filter(told -> told.level.compareTo(level) <= 0)
                .map(Told::block)
                .toList();
    }

    /** As text, without bounds of rows; it ends with a line break. */
    public String text(Level level) {
        return text(level, Integer.MAX_VALUE);
    }

    /** What matters most, on a screen. */
    public String summary() {
        long tables = sections.stream()
                .flatMap(section -> blocks(section, Level.SUMMARY).stream())
                .filter(Table.class::isInstance)
                .count();
        return text(Level.SUMMARY, tables < 2 ? 20 : 9);
    }

    private String text(Level level, int most) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            List<Block> blocks = blocks(section, level);
            text.append(blocks.isEmpty() || text.isEmpty() || text.toString().endsWith("\n\n") ? "" : "\n");
            for (int i = 0; i < blocks.size(); i++) {
                boolean isBelowTable = i > 0 && blocks.get(i - 1) instanceof Table && !(blocks.get(i) instanceof Table);
                text.append(isBelowTable ? "\n" : "");
                append(text, blocks.get(i), most);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Block block, int most) {
        if (block instanceof Table table) {
            text.append(text.isEmpty() || text.toString().endsWith("\n\n") ? "" : "\n")
                    .append(table.text(most));
        } else if (block instanceof Lines lines) {
            boolean some = most < Integer.MAX_VALUE && !lines.what.isEmpty();
            List<Line> shown = lines.lines.stream()
                    .limit(some ? MOST_LINES : Integer.MAX_VALUE)
                    .toList();
            shown.forEach(line -> text.append(line.plain()).append('\n'));
            Table.more(text, lines.lines.size() - shown.size(), lines.what);
        } else if (block instanceof Prose prose) {
            text.append(wrapped(prose.prose));
        } else if (block instanceof Fold fold) {
            fold.blocks.forEach(inner -> append(text, inner, most));
        }
    }

    /** In lines that fit on a terminal; empty where the text is. */
    static String wrapped(String text) {
        return text.isEmpty()
                ? ""
                : text.lines()
                                .map(line -> line.replaceAll("(.{1," + WIDTH + "})(?:\\s+|$)", "$1\n")
                                        .stripTrailing())
                                .collect(Collectors.joining("\n"))
                        + "\n";
    }

    /** As Markdown; it ends with a line break. */
    public String markdown(Level level) {
        StringBuilder text = new StringBuilder();
        sections.forEach(section -> blocks(section, level).forEach(block -> append(text, block)));
        return text.toString();
    }

    private static void append(StringBuilder text, Block block) {
        if (block instanceof Table table) {
            text.append(table.markdown());
        } else if (block instanceof Lines lines) {
            text.append(lines.title.isEmpty() ? "" : "**" + escaped(lines.title) + "**\n\n");
            lines.lines.forEach(line -> text.append("- ")
                    .append(line.shown(label -> "**" + escaped(label) + "**", Report::escaped))
                    .append('\n'));
            text.append('\n');
        } else if (block instanceof Prose prose) {
            text.append(escaped(prose.prose)).append("\n\n");
        } else if (block instanceof Fold fold) {
            text.append("<details><summary>").append(escaped(fold.fold)).append("</summary>\n\n");
            fold.blocks.forEach(inner -> append(text, inner));
            text.append("</details>\n\n");
        }
    }

    /** Texts come from settings and servers: none of them may become a table, a tag or a heading. */
    public static String escaped(String text) {
        return text.strip().replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>|#])", "\\\\$1");
    }

    /** A section as the page takes it. */
    record PageSection(String id, String title, List<Block> blocks) {}

    /** All of them. */
    List<PageSection> page() {
        return sections.stream()
                .map(section -> new PageSection(section.id, section.title, blocks(section, Level.PAGE)))
                .toList();
    }
}
