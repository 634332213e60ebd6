package siemload.results.report;

import java.io.StringWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

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

        boolean failed() {
            return !type.isEmpty();
        }

        boolean isSkipped() {
            return !failed() && !text.isEmpty();
        }
    }

    /** The whole document, ending with a line break. */
    public String toXml() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            write(xml);
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("text in memory can always be written", impossible);
        }
        return text + "\n";
    }

    private void write(XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        start(xml, 0, "testsuite", "name", name, "tests", String.valueOf(cases.size()));
        attribute(xml, "failures", cases.stream().filter(Case::failed).count());
        attribute(xml, "errors", 0);
        attribute(xml, "skipped", cases.stream().filter(Case::isSkipped).count());
        attribute(xml, "timestamp", timestamp);
        attribute(xml, "time", String.format(Locale.ROOT, "%.3f", seconds));
        start(xml, 1, "properties");
        for (Map.Entry<String, String> property : properties.entrySet()) {
            line(xml, 2);
            xml.writeEmptyElement("property");
            attribute(xml, "name", property.getKey());
            attribute(xml, "value", property.getValue());
        }
        end(xml, 1);
        for (Case one : cases) {
            start(xml, 1, "testcase", "classname", name, "name", one.name());
            if (one.failed()) {
                String message = one.text().lines().findFirst().orElse(one.type());
                start(xml, 2, "failure", "type", one.type(), "message", message);
                xml.writeCharacters(writable(one.text()));
                xml.writeEndElement();
                end(xml, 1);
            } else if (one.isSkipped()) {
                line(xml, 2);
                xml.writeEmptyElement("skipped");
                attribute(xml, "message", one.text());
                end(xml, 1);
            } else {
                xml.writeEndElement();
            }
        }
        end(xml, 0);
        xml.writeEndDocument();
    }

    private static void start(XMLStreamWriter xml, int depth, String element, String... attributes)
            throws XMLStreamException {
        line(xml, depth);
        xml.writeStartElement(element);
        for (int i = 0; i < attributes.length; i += 2) {
            attribute(xml, attributes[i], attributes[i + 1]);
        }
    }

    private static void attribute(XMLStreamWriter xml, String name, Object value) throws XMLStreamException {
        xml.writeAttribute(name, writable(String.valueOf(value)));
    }

    /** Ends an element that has others within it. */
    private static void end(XMLStreamWriter xml, int depth) throws XMLStreamException {
        line(xml, depth);
        xml.writeEndElement();
    }

    private static void line(XMLStreamWriter xml, int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }

    /** XML cannot hold most control characters in any form; a server's message may. */
    private static String writable(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD");
    }
}
