package siemload.results.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A test suite as CI servers read it in JUnit's XML. Immutable.
 *
 * @param name the name of the suite, which is also the class of its cases: {@code siemload.hawat}
 * @param timestamp the start of the suite, as in RFC 3339
 * @param seconds the duration of the suite
 * @param properties the properties of the suite
 */
public record JunitSuite(
        String name, String timestamp, double seconds, Map<String, String> properties, List<Case> cases) {

    public JunitSuite {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        cases = List.copyOf(cases);
    }

    /**
     * One case of a test suite.
     *
     * @param type the type of the failure, one word or two; empty if the case did not fail
     * @param text why the case failed or was skipped, of which CI servers list the first line; empty if the case passed
     */
    public record Case(String name, String type, String text) {

        /** Returns a case that passed, or that failed for this reason. */
        public static Case of(String name, boolean passed, String type, String text) {
            return passed ? new Case(name, "", "") : new Case(name, type, text);
        }

        /** Returns a case that has no result, for this reason. */
        public static Case skipped(String name, String why) {
            return new Case(name, "", why);
        }

        private String why() {
            String first = text.lines().findFirst().orElse(type);
            return !type.isEmpty()
                    ? xml("\n    <failure type=\"%s\" message=\"%s\">%s</failure>\n  ", type, first, text)
                    : text.isEmpty() ? "" : xml("\n    <skipped message=\"%s\"/>\n  ", text);
        }
    }

    /** Returns the whole XML document, ending with a line feed. */
    public String toXml() {
        long failed = cases.stream().filter(one -> !one.type.isEmpty()).count();
        long skipped = cases.stream()
                .filter(one -> one.type.isEmpty() && !one.text.isEmpty())
                .count();
        String form = """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="%s" tests="%d" failures="%d" errors="0" skipped="%d" timestamp="%s" time="%.3f">
                  <properties>
                """;
        StringBuilder xml = new StringBuilder(xml(form, name, cases.size(), failed, skipped, timestamp, seconds));
        properties.forEach(
                (property, value) -> xml.append(xml("    <property name=\"%s\" value=\"%s\"/>\n", property, value)));
        xml.append("  </properties>\n");
        cases.forEach(one -> xml.append(xml("  <testcase classname=\"%s\" name=\"%s\">", name, one.name))
                .append(one.why())
                .append("</testcase>\n"));
        return xml.append("</testsuite>\n").toString();
    }

    /** Fills escaped values into a form. Control characters of a server's message are replaced, since XML cannot hold most of them. */
    private static String xml(String form, Object... values) {
        Object[] escaped = Arrays.stream(values)
                .map(value -> !(value instanceof String text)
                        ? value
                        : text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD")
                                .replace("&", "&amp;")
                                .replace("<", "&lt;")
                                .replace(">", "&gt;")
                                .replace("\"", "&quot;"))
                .toArray();
        return String.format(Locale.ROOT, form, escaped);
    }
}
