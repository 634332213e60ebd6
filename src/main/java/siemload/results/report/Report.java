package siemload.results.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The report of a run, an experiment or a capacity search: sections of tables, sentences and charts. Text, Markdown and page show the same
 * content, as far as it fits. Used by one thread.
 */
public final class Report {
    private static final int WIDTH = 110;
    private static final int MOST_LINES = 3;

    private final List<Section> sections = new ArrayList<>();

    /** The smallest output that shows a block; all larger outputs also show the block. */
    public enum Level {
        /** The block is in the summary, the whole text and the page. */
        SUMMARY,
        /** The block is in the whole text and on the page. */
        TEXT,
        /** The block is only on the page. */
        PAGE
    }

    /** A part of a section of a report. */
    public sealed interface Block permits Table, Lines, Prose, Chart, Fold {
        /** Returns whether the block has no content. */
        @JsonIgnore
        default boolean isEmpty() {
            return false;
        }

        /** Returns the block for a terminal: an empty text, or whole lines, with at most this many rows of a table. */
        default String text(int mostRows) {
            return "";
        }

        /** Returns the block as Markdown: an empty text, or paragraphs followed by an empty line. */
        default String markdown() {
            return "";
        }
    }

    /** A sentence with a label; {@code text} is empty if the label says everything. */
    public record Line(String label, String text) {
        private String shown(UnaryOperator<String> asLabel, UnaryOperator<String> asText) {
            String before = label.isEmpty() ? "" : asLabel.apply(label) + (text.isEmpty() ? "" : ": ");
            return before + asText.apply(text) + "\n";
        }
    }

    /**
     * Sentences in their order.
     *
     * @param what the noun for the sentences if a summary shows only some of them; empty if the summary shows all
     */
    public record Lines(String title, String what, List<Line> lines) implements Block {
        public Lines {
            lines = List.copyOf(lines);
        }

        /** Makes lines of sentences under a title, all with this label. */
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

        @Override
        public String text(int mostRows) {
            boolean isShort = mostRows < Integer.MAX_VALUE && !what.isEmpty();
            int shown = isShort ? Math.min(MOST_LINES, lines.size()) : lines.size();
            return lines.stream()
                            .limit(shown)
                            .map(line -> line.shown(label -> label, text -> text))
                            .collect(Collectors.joining())
                    + Table.more(lines.size() - shown, what);
        }

        @Override
        public String markdown() {
            return lines.stream()
                    .map(line -> "- " + line.shown(label -> "**" + escaped(label) + "**", Report::escaped))
                    .collect(Collectors.joining("", title.isEmpty() ? "" : "**" + escaped(title) + "**\n\n", "\n"));
        }
    }

    /** A paragraph of one or more sentences. */
    public record Prose(String prose) implements Block {
        @Override
        public boolean isEmpty() {
            return prose.isEmpty();
        }

        @Override
        public String text(int mostRows) {
            return wrapped(prose);
        }

        @Override
        public String markdown() {
            return escaped(prose) + "\n\n";
        }
    }

    /** The name of a chart or other content that the page draws. */
    public record Chart(String chart) implements Block {}

    /** Details that a page and Markdown show on demand; a text always shows them. */
    public record Fold(String fold, List<Block> blocks) implements Block {
        public Fold {
            blocks = blocks.stream().filter(block -> !block.isEmpty()).toList();
        }

        @Override
        public boolean isEmpty() {
            return blocks.isEmpty();
        }

        @Override
        public String markdown() {
            return blocks.stream()
                    .map(Block::markdown)
                    .collect(Collectors.joining(
                            "", "<details><summary>" + escaped(fold) + "</summary>\n\n", "</details>\n\n"));
        }
    }

    private record Told(Level level, Block block) {}

    private record Section(String id, String title, List<Told> told) {}

    /** Begins a section; a section that stays empty is left out. */
    public Report section(String id, String title) {
        sections.add(new Section(id, title, new ArrayList<>()));
        return this;
    }

    /** Adds blocks to the last section; empty blocks are left out. */
    public Report add(Level level, Block... blocks) {
        Arrays.stream(blocks)
                .filter(block -> !block.isEmpty())
                .forEach(block -> sections.get(sections.size() - 1).told.add(new Told(level, block)));
        return this;
    }

    /**
     * Adds the sections of a form, filled in from JSON; {@code run.yaml} describes forms.
     *
     * @param own blocks that no form can express, by their names in the form
     */
    Report tell(JsonNode form, JsonNode data, Map<String, Block> own) {
        for (JsonNode section : form) {
            for (JsonNode about :
                    section.has("each") ? data.path(section.get("each").asText()) : List.of(data)) {
                if (holds(section, about)) {
                    section(section.get("id").asText(), section.get("title").asText());
                    blocks(section, about, own).forEach(told -> add(told.level, told.block));
                }
            }
        }
        return this;
    }

    private static List<Told> blocks(JsonNode form, JsonNode data, Map<String, Block> own) {
        List<Told> blocks = new ArrayList<>();
        for (JsonNode block : form.path("blocks")) {
            if (holds(block, data)) {
                String level = block.path("level").asText("page").toUpperCase(Locale.ROOT);
                blocks.add(new Told(Level.valueOf(level), block(block, data, own)));
            }
        }
        return blocks;
    }

    private static boolean holds(JsonNode form, JsonNode data) {
        return (!form.has("when")
                        || Table.isThere(Table.at(data, form.get("when").asText())))
                && !(form.has("unless")
                        && Table.isThere(Table.at(data, form.get("unless").asText())));
    }

    /** Makes a block of a form, filled in from JSON. */
    static Block block(JsonNode form, JsonNode data, Map<String, Block> own) {
        UnaryOperator<String> text = name -> Table.filled(data, form.path(name).asText());
        if (form.has("columns")) {
            return Table.of(rows(form, data), form.get("columns").asText())
                    .intro(text.apply("intro"))
                    .note(text.apply("note"))
                    .of(form.path("rows").asText("rows"));
        } else if (form.has("text") || form.has("all")) {
            Set<Line> lines = new LinkedHashSet<>();
            for (JsonNode one : form.has("all") ? form.get("all") : List.of(form)) {
                rows(one, data)
                        .forEach(row -> lines.add(new Line(
                                Table.filled(row, one.path("label").asText()),
                                Table.filled(row, one.get("text").asText()))));
            }
            return new Lines(text.apply("lines"), form.path("rows").asText(), List.copyOf(lines));
        } else if (form.has("fold")) {
            return new Fold(
                    text.apply("fold"),
                    blocks(form, data, own).stream().map(Told::block).toList());
        } else if (form.has("block")) {
            return own.getOrDefault(form.get("block").asText(), new Prose(""));
        }
        return form.has("chart") ? new Chart(text.apply("chart")) : new Prose(text.apply("prose"));
    }

    /** Returns the objects that get a row each: all objects of a list, a single object, or several objects with names. */
    private static List<JsonNode> rows(JsonNode form, JsonNode data) {
        List<JsonNode> rows = new ArrayList<>();
        JsonNode of = form.path("of");
        if (!holds(form, data)) {
            return rows;
        }
        if (of.isObject()) {
            of.properties()
                    .forEach(named -> rows.add(JsonNodeFactory.instance
                            .objectNode()
                            .put("what", named.getKey())
                            .set("it", Table.at(data, named.getValue().asText()))));
            return rows;
        }
        JsonNode found = Table.at(data, of.asText());
        (found.isArray() || found.isMissingNode() ? found : List.of(found)).forEach(rows::add);
        rows.removeIf(row -> form.has("where")
                && !Table.isThere(Table.at(row, form.get("where").asText())));
        return rows;
    }

    private List<Block> blocks(Section section, Level level) {
        return section.told.stream()
                .filter(told -> told.level.compareTo(level) <= 0)
                .map(Told::block)
                .toList();
    }

    /** Returns the report as text with all rows of tables; ends with a line feed. */
    public String text(Level level) {
        return text(level, Integer.MAX_VALUE);
    }

    /** Returns the most important part of the report, which fits on a screen. */
    public String summary() {
        long tables = sections.stream()
                .flatMap(section -> blocks(section, Level.SUMMARY).stream())
                .filter(Table.class::isInstance)
                .count();
        return text(Level.SUMMARY, tables < 2 ? 20 : 9);
    }

    /** Returns the report as text, with empty lines around sections and tables. */
    private String text(Level level, int most) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            boolean isApart = true;
            for (Block told : blocks(section, level)) {
                for (Block block : told instanceof Fold fold ? fold.blocks : List.of(told)) {
                    isApart |= block instanceof Table;
                    text.append(isApart && !text.isEmpty() && text.lastIndexOf("\n\n") != text.length() - 2 ? "\n" : "")
                            .append(block.text(most));
                    isApart = block instanceof Table;
                }
            }
        }
        return text.toString();
    }

    /** Breaks a text into lines that fit on a terminal; an empty text stays empty. */
    static String wrapped(String text) {
        return text.isEmpty()
                ? ""
                : text.lines()
                                .map(line -> line.replaceAll("(.{1," + WIDTH + "})(?:\\s+|$)", "$1\n")
                                        .stripTrailing())
                                .collect(Collectors.joining("\n"))
                        + "\n";
    }

    /** Returns the report as Markdown, which ends with a line feed. */
    public String markdown(Level level) {
        return sections.stream()
                .flatMap(section -> blocks(section, level).stream())
                .map(Block::markdown)
                .collect(Collectors.joining());
    }

    /** Escapes a text for Markdown, since texts from settings and servers must not become a table, a tag or a heading. */
    public static String escaped(String text) {
        return text.strip().replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>|#])", "\\\\$1");
    }

    /** Returns the sections as data for the page. */
    public List<Map<String, Object>> page() {
        return sections.stream()
                .map(one -> Map.<String, Object>of("id", one.id, "title", one.title, "blocks", blocks(one, Level.PAGE)))
                .toList();
    }
}
