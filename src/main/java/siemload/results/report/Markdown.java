package siemload.results.report;

/** What all Markdown of ours has in common. Stateless and thread-safe. */
public final class Markdown {

    private Markdown() {}

    /** Texts come from settings and servers: none of them may become a table, a tag or a heading. */
    public static String escaped(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>|#])", "\\\\$1");
    }
}
