package siemload.results.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A test suite as CI servers read it in JUnit's XML. Immutable.
 *
 * @param name the suite, and the class of its cases: {@code siemload.hawat}
 * @param timestamp when it began, as in RFC 3339
 * @param seconds how long it took
 * @param properties what it was about
 */
public record JunitSuite(
        String name, String timestamp, double seconds, Map<String, String> properties, List<Case> cases) {

    public JunitSuite {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        cases = List.copyOf(cases);
    }

    /**
     * One test case.
     *
     * @param type of its failure, one word or two; empty if it did not fail
     * @param text why it failed or was skipped, the first line is shown in lists; empty if it passed
     */
    public record Case(String name, String type, String text) {

        /** One that passed, or that failed for this reason. */
        public static Case of(String name, boolean passed, String type, String text) {
            return passed ? new Case(name, "", "") : new Case(name, type, text);
        }

        /** One of which nobody knows. */
        public static Case skipped(String name, String why) {
            return new Case(name, "", why);
        }

        private String toXml(String suite) {
            String why = "";
            if (!type.isEmpty()) {
                String message = escaped(text.lines().findFirst().orElse(type));
                why = "\n    <failure type=\"" + escaped(type) + "\" message=\"" + message + "\">" + escaped(text)
                        + "</failure>\n  ";
            } else if (!text.isEmpty()) {
                why = "\n    <skipped message=\"" + escaped(text) + "\"/>\n  ";
            }
            return "  <testcase classname=\"" + escaped(suite) + "\" name=\"" + escaped(name) + "\">" + why
                    + "</testcase>\n";
        }
    }

    /** The whole document, ending with a line break. */
    public String toXml() {
        StringBuilder xml = new StringBuilder(String.format(
                Locale.ROOT,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="%d" timestamp="%s" time="%.3f">
                  <properties>
                """,
                escaped(name),
                cases.size(),
                cases.stream().filter(one -> !one.type.isEmpty()).count(),
                cases.stream()
                        .filter(one -> one.type.isEmpty() && !one.text.isEmpty())
                        .count(),
                escaped(timestamp),
                seconds));
        properties.forEach((property, value) ->
                xml.append("    <property name=\"" + escaped(property) + "\" value=\"" + escaped(value) + "\"/>\n"));
        xml.append("  </properties>\n");
        cases.forEach(one -> xml.append(one.toXml(name)));
        return xml.append("</testsuite>\n").toString();
    }

    /** XML cannot hold most control characters in any form; a server's message may. */
    private static String escaped(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
