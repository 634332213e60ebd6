package siemload.results.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.Sha256;

/**
 * A page with the charts of a report that holds all it needs: style, chart library and scripts stand in it. Stateless and
 * thread-safe.
 */
public final class ChartPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String WEBJAR = "/META-INF/maven/org.webjars/echarts/pom.properties";

    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

    private ChartPage() {}

    /**
     * Fills a page's slots, which look like {@code {{name}}}: {@code style}, {@code echarts} and {@code charts} with what
     * all such pages share, and those of the page's own.
     *
     * <p>The slot {@code {{policy}}} becomes a content security policy that lets the scripts and the styles of the page run, by
     * their hashes, and nothing else. Only elements without attributes are among them: data are none.
     *
     * @param own content by slot
     * @throws IllegalStateException if slots and contents do not match, one to one
     */
    public static String of(String page, Map<String, String> own) throws IOException {
        Map<String, String> slots = new HashMap<>(own);
        slots.put("style", text("/siemload/results/report/report.css"));
        slots.put("echarts", library());
        slots.put("charts", text("/siemload/results/report/charts.js"));
        slots.put("policy", policy(page, slots));
        Set<String> used = new HashSet<>();
        String filled = filled(page, slots, used);
        if (!used.equals(slots.keySet())) {
            throw new IllegalStateException("slots are " + used + " and not " + slots.keySet());
        }
        return filled;
    }

    private static String filled(String template, Map<String, String> slots, Set<String> used) {
        StringBuilder filled = new StringBuilder();
        int copied = 0;
        for (Matcher slot = SLOT.matcher(template); slot.find(); copied = slot.end()) {
            String content = slots.get(slot.group(1));
            if (content == null) {
                throw new IllegalStateException("nothing for " + slot.group());
            }
            used.add(slot.group(1));
            filled.append(template, copied, slot.start()).append(content);
        }
        return filled.append(template, copied, template.length()).toString();
    }

    /** Charts set styles of single elements, of which no hash is known. */
    private static String policy(String page, Map<String, String> slots) {
        return "default-src 'none'; script-src" + hashes("script", page, slots) + "; style-src"
                + hashes("style", page, slots)
                + "; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private static String hashes(String element, String page, Map<String, String> slots) {
        StringBuilder hashes = new StringBuilder();
        Pattern inline = Pattern.compile("<" + element + ">(.*?)</" + element + ">", Pattern.DOTALL);
        for (Matcher found = inline.matcher(page); found.find(); ) {
            hashes.append(" 'sha256-")
                    .append(Base64.getEncoder()
                            .encodeToString(Sha256.of(filled(found.group(1), slots, new HashSet<>()))))
                    .append('\'');
        }
        return hashes.toString();
    }

    /** A text as the content of an element. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    /** Data as the content of a script element: nothing ends it but its end tag, or needs care but what starts a comment. */
    public static String json(Object data) throws IOException {
        return JSON.writeValueAsString(data).replace("<", "\\u003c");
    }

    private static String library() throws IOException {
        Properties webjar = new Properties();
        try (InputStream properties = open(WEBJAR)) {
            webjar.load(properties);
        }
        return text("/META-INF/resources/webjars/echarts/" + webjar.getProperty("version") + "/echarts.common.min.js");
    }

    /** A text file on the class path. */
    public static String text(String path) throws IOException {
        try (InputStream resource = open(path)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(String path) {
        InputStream resource = ChartPage.class.getResourceAsStream(path);
        if (resource == null) {
            throw new IllegalStateException(path + " is not on the class path");
        }
        return resource;
    }
}
