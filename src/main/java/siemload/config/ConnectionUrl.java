package siemload.config;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The type of database urls: those that are written as one without a password is, by a grammar for each database. Anything
 * else may hold one in a place that nobody thought of, and is refused before a driver sees it, by messages that do not
 * repeat it.
 */
final class ConnectionUrl {
    static final ValueType<String> TYPE = ValueType.of("URL without a password", "", ConnectionUrl::parse);

    private static final int MOST_CHARACTERS = 2_000;

    private static final String HELP =
            "give the password by SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user by SIEMLOAD_USER";

    private static final List<Pattern> WITH_PASSWORD = List.of(
            Pattern.compile("//[^/?#@:]*:[^@?]*@"),
            Pattern.compile("(password|passwd|pwd)\\s*=", Pattern.CASE_INSENSITIVE),
            Pattern.compile("^jdbc:oracle:[a-z0-9]+:[^/@]+/[^@]+@", Pattern.CASE_INSENSITIVE));

    private static final String HOST = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%25?\\w+)?])";
    private static final String SERVERS = HOST + "(?::\\d{1,5})?(?:," + HOST + "(?::\\d{1,5})?)*+";
    private static final String NAME = "[\\w.$~%+-]*";

    /** The parts of a long name of Oracle that may stand there. */
    private static final String DESCRIPTOR = "(?:\\(\\s*+(?:ADDRESS|ADDRESS_LIST|BACKUP|COLOCATION_TAG|COMPRESSION"
            + "|COMPRESSION_LEVELS|CONNECT_DATA|CONNECT_TIMEOUT|DELAY|DESCRIPTION|DESCRIPTION_LIST|ENABLE|EXPIRE_TIME|FAILOVER"
            + "|FAILOVER_MODE|GLOBAL_NAME|HOST|HTTPS_PROXY|HTTPS_PROXY_PORT|INSTANCE_NAME|LEVEL|LOAD_BALANCE|METHOD"
            + "|MY_WALLET_DIRECTORY|POOL_BOUNDARY|POOL_CONNECTION_CLASS|POOL_PURITY|PORT|PROTOCOL|RECV_BUF_SIZE|RETRIES"
            + "|RETRY_COUNT|RETRY_DELAY|SDU|SECURITY|SEND_BUF_SIZE|SERVER|SERVICE_NAME|SID|SOURCE_ROUTE"
            + "|SSL_SERVER_CERT_DN|SSL_SERVER_DN_MATCH|SSL_VERSION|TRANSPORT_CONNECT_TIMEOUT|TYPE|UR"
            + "|USE_TCP_FAST_OPEN|WALLET_LOCATION)\\s*+=\\s*+|[\\w.,:=/* -]++|\"[\\w.,:=/* -]*+\"|\\)\\s*+)++";

    private static final List<Form> FORMS = List.of(
            new Form(
                    "jdbc:postgresql:",
                    "(?://(?:" + SERVERS + ")?(?:/" + NAME + ")?|/?" + NAME + ")",
                    UrlOptions.POSTGRESQL,
                    "jdbc:postgresql://host:port/database?sslmode=verify-full"),
            new Form(
                    "mongodb://",
                    "(?:[\\w.%+-]+@)?" + SERVERS + "(?:/" + NAME + ")?",
                    UrlOptions.MONGODB,
                    "mongodb://host:port/database?tls=true"),
            new Form(
                    "mongodb+srv://",
                    "(?:[\\w.%+-]+@)?[\\w.-]+(?:/" + NAME + ")?",
                    UrlOptions.MONGODB,
                    "mongodb+srv://host/database"),
            new Form(
                    "jdbc:oracle:thin:",
                    "(?:[A-Za-z][\\w$#]*)?@(?:(?:(?:tcps?:)?//)?" + SERVERS
                            + "(?:/" + NAME + "(?::(?:dedicated|shared|pooled|emon))?(?:/" + NAME + ")?|:[\\w$]+)?|"
                            + DESCRIPTOR + ")",
                    UrlOptions.ORACLE,
                    "jdbc:oracle:thin:@tcps://host:port/service"),
            new Form(
                    "",
                    "[a-z][\\w+.:-]*://" + SERVERS + "(?:/" + NAME + ")?",
                    UrlOptions.NONE,
                    "kind://host:port/database"));

    private ConnectionUrl() {}

    /**
     * How the urls of a database are written.
     *
     * @param start what they begin with
     * @param rest what stands between that and the options
     * @param options what may follow a question mark
     * @param example for people
     */
    private record Form(String start, Pattern rest, UrlOptions options, String example) {
        Form(String start, String rest, UrlOptions options, String example) {
            this(start, Pattern.compile(rest, Pattern.CASE_INSENSITIVE), options, example);
        }

        void require(String url) {
            String[] parts = url.substring(start.length()).split("\\?", 2);
            if (!rest.matcher(parts[0]).matches()) {
                throw new IllegalArgumentException(
                        "is not written as a url without a password is, and is not shown since"
                                + " it could hold one (write for example " + example + "; " + HELP + ")");
            }
            List<String> given = parts.length == 1 ? List.of() : List.of(parts[1].split("&", -1));
            for (int i = 0; i < given.size(); i++) {
                if (!options.allow(given.get(i))) {
                    throw new IllegalArgumentException("has options of which number " + (i + 1)
                            + " is not known to be free of secrets (allowed: those in docs/inputs.md; " + HELP + ")");
                }
            }
        }
    }

    private static String parse(String text) {
        String url = ValueType.text().parse(text);
        if (url.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("is longer than " + MOST_CHARACTERS + " characters");
        }
        if (WITH_PASSWORD.stream().anyMatch(pattern -> pattern.matcher(url).find())) {
            throw new IllegalArgumentException("holds a password, which could end up in logs and reports ("
                    + HELP.replaceFirst("the password", "it") + ")");
        }
        FORMS.stream()
                .filter(form -> url.startsWith(form.start))
                .findFirst()
                .orElseThrow()
                .require(url);
        return url;
    }
}
