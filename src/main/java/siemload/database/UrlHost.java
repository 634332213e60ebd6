package siemload.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The host in urls of the common form {@code //user@host:port/name}. Stateless. */
final class UrlHost {
    private static final Pattern HOST = Pattern.compile("(?<!/)//(?!/)(?:[^/?@]*@)?(\\[[^\\]]+\\]|[^/?:,]+)");
    private static final String THIS_MACHINE = "localhost";

    private UrlHost() {}

    /** The first of several; drivers go to this machine where there is none. */
    static String of(String url) {
        Matcher host = HOST.matcher(url);
        return host.find() ? host.group(1) : THIS_MACHINE;
    }
}
