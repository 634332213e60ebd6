package siemload.database.mongodb.layout;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.layout.document.BrokenTemplates;
import siemload.database.layout.document.TemplateFiles;

/** Whatever a file holds, it is a template or is told to be none. */
final class TemplateTextTest {
    private static final List<String> TYPES = List.of(
            "{\"$date\": \"x\"}",
            "{\"$numberLong\": \"y\"}",
            "{\"$numberDecimal\": \"1e7000\"}",
            "{\"$oid\": \"12\"}",
            "{\"$binary\": {\"base64\": \"?\", \"subType\": \"00\"}}",
            "{\"$uuid\": \"1-2\"}",
            "{\"$code\": 1}",
            "{\"$regularExpression\": {\"pattern\": \"(\", \"options\": \"?\"}}",
            "{\"$timestamp\": {\"t\": -1}}",
            "{\"$dbPointer\": 1}",
            "{\"$minKey\": 2}",
            "ISODate()");

    @Test
    void brokenTextsAreToldToBeNone() {
        BrokenTemplates.areToldToBeNone(
                TemplateFiles.templates(DocumentLayout.IDEA.copied()).values(), TYPES, ExtendedJson.NOTATION);
    }
}
