package siemload.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.stream.Stream;

/** Looks for accessibility faults in a page. */
public final class Axe {
    private Axe() {}

    /** Serious and critical faults, each with the first places where it was found; an array. */
    public static JsonNode seriousFaults(DevTools page) throws IOException {
        page.evaluate(script() + "; 0");
        return page.evaluate("""
                axe.run({resultTypes: ['violations']}).then(found => !found.passes.some(rule => rule.id === 'color-contrast') ? ['contrast was not looked at']
                    : found.violations.filter(fault => ['serious', 'critical'].includes(fault.impact))
                    .map(fault => fault.id + ': ' + fault.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | ')))""");
    }

    private static String script() throws IOException {
        Properties webjar = new Properties();
        try (InputStream properties = resource("/META-INF/maven/org.webjars.npm/axe-core/pom.properties")) {
            webjar.load(properties);
        }
        String path = "/META-INF/resources/webjars/axe-core/" + webjar.getProperty("version") + "/axe.min.js";
        try (InputStream script = resource(path)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream resource(String path) {
        return Stream.of(path).map(Axe.class::getResourceAsStream).findFirst().orElseThrow();
    }
}
