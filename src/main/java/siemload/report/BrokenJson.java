package siemload.report;

import com.fasterxml.jackson.core.JsonProcessingException;

/** What is wrong with a JSON file, in one line. */
final class BrokenJson {
    private BrokenJson() {}

    /** {@code run.json:12:3: Unexpected character ...}. */
    static String message(String file, JsonProcessingException broken) {
        String where = broken.getLocation() == null
                ? ""
                : ":" + broken.getLocation().getLineNr() + ":"
                        + broken.getLocation().getColumnNr();
        String why = broken.getOriginalMessage().lines().findFirst().orElse("");
        return file + where + ": not JSON of the expected form: " + why;
    }
}
