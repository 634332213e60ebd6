package siemload.report;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import siemload.measure.RunResult;

/**
 * A run result as JUnit XML: validity is a test case and so is each objective, so that a CI server lists, counts and
 * follows them. Stateless and thread-safe.
 */
final class JunitReport {
    private final RunResult run;
    private final XMLStreamWriter xml;

    private JunitReport(RunResult run, XMLStreamWriter xml) {
        this.run = run;
        this.xml = xml;
    }

    /** The whole document, ending with a line break. */
    static String of(RunResult run) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            new JunitReport(run, xml).write();
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("text in memory can always be written", impossible);
        }
        return text + "\n";
    }

    private void write() throws XMLStreamException {
        long missed =
                run.objectives().stream().filter(objective -> !objective.met()).count();
        xml.writeStartDocument("UTF-8", "1.0");
        line(0);
        xml.writeStartElement("testsuite");
        attribute("name", "siemload." + run.scenario());
        attribute("tests", String.valueOf(run.objectives().size() + 1));
        attribute("failures", String.valueOf(missed + (run.validity().valid() ? 0 : 1)));
        attribute("errors", "0");
        attribute("skipped", "0");
        attribute("timestamp", run.startedAt().toString());
        attribute("time", String.format(Locale.ROOT, "%.3f", run.measuredSeconds()));
        writeProperties();
        writeValidity();
        for (RunResult.ObjectiveResult objective : run.objectives()) {
            writeObjective(objective);
        }
        line(0);
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    private void writeProperties() throws XMLStreamException {
        line(1);
        xml.writeStartElement("properties");
        writeProperty("run", run.runId());
        writeProperty("target", run.target().id() + " " + run.target().version());
        writeProperty("variant", Sentence.variant(run));
        line(1);
        xml.writeEndElement();
    }

    private void writeProperty(String name, String value) throws XMLStreamException {
        line(2);
        xml.writeEmptyElement("property");
        attribute("name", name);
        attribute("value", value);
    }

    private void writeValidity() throws XMLStreamException {
        startCase("the run is valid");
        if (!run.validity().valid()) {
            writeFailure("NOT VALID", String.join("\n", run.validity().warnings()));
        }
        endCase();
    }

    private void writeObjective(RunResult.ObjectiveResult objective) throws XMLStreamException {
        startCase(objective.text());
        if (!objective.met()) {
            writeFailure("MISSED", objective.text() + ": measured " + objective.measured());
        }
        endCase();
    }

    private void startCase(String name) throws XMLStreamException {
        line(1);
        xml.writeStartElement("testcase");
        attribute("classname", "siemload." + run.scenario());
        attribute("name", name);
    }

    private void endCase() throws XMLStreamException {
        xml.writeEndElement();
    }

    private void writeFailure(String type, String text) throws XMLStreamException {
        line(2);
        xml.writeStartElement("failure");
        attribute("type", type);
        attribute("message", text.lines().findFirst().orElse(type));
        xml.writeCharacters(writable(text));
        xml.writeEndElement();
        line(1);
    }

    private void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, writable(value));
    }

    private void line(int depth) throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }

    /** XML cannot hold most control characters in any form; a server's message may. */
    private static String writable(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD");
    }
}
