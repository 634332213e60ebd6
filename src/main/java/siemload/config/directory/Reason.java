package siemload.config.directory;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** Says in words why a file could not be used: Java has only the name of the exception's class for the most common reasons. */
public final class Reason {
    private Reason() {}

    /** Returns the reason with the path, as far as the exception has them: {@code /data: access denied}. */
    public static String of(IOException failure) {
        String name = failure.getClass().getSimpleName();
        String said = failure.getMessage() == null ? name : failure.getMessage();
        return failure instanceof FileSystemException about && about.getReason() == null
                ? said + ": " + words(name)
                : said;
    }

    /** Turns {@code AccessDeniedException} into {@code access denied}. */
    private static String words(String exception) {
        return exception
                .replaceFirst("Exception$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
