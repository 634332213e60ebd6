package siemload.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with the charts of a report that holds all it needs: style, chart library and scripts stand in it. Stateless and
 * thread-safe.
 */
public final class ChartPage {
    private static final String WEBJAR = "/META-INF/maven/org.webjars/echarts/pom.properties";

    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

    private ChartPage() {}

    /**
     * Fills a page's slots, which look like {@code {{name}}}: {@code style}, {@code echarts} and {@code charts} with what
     * all such pages share, and those of the page's own.
     *
     * @param own content by slot
     * @throws IllegalStateException if slots and contents do not match, one to one
     */
    public static String of(String page, Map<String, String> own) throws IOException {
        Map<String, String> slots = new HashMap<>(own);
        slots.put("style", text("/siemload/report/report.css"));
        slots.put("echarts", library());
        slots.put("charts", text("/siemload/report/charts.js"));
        StringBuilder filled = new StringBuilder();
        int copied = 0;
        for (Matcher slot = SLOT.matcher(page); slot.find(); copied = slot.end()) {
            String content = slots.remove(slot.group(1));
            if (content == null) {
                throw new IllegalStateException("nothing for " + slot.group());
            }
            filled.append(page, copied, slot.start()).append(content);
        }
        if (!slots.isEmpty()) {
            throw new IllegalStateException("no slots for " + slots.keySet());
        }
        return filled.append(page, copied, page.length()).toString();
    }

    /** A text as the content of an element. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
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
