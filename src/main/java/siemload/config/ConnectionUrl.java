package siemload.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The type of database urls: those that are written as one without a password is, by a grammar for each database. Anything
 * else may hold one in a place that nobody thought of, and is refused before a driver sees it, by messages that do not
 * repeat it.
 */
final class ConnectionUrl {
    static final ValueType<String> TYPE = ValueType.of("URL without a password", "", ConnectionUrl::parse);

    /** Blanks, or commas before the begin of another url, since commas may also stand in one. */
    private static final Pattern BETWEEN = Pattern.compile("\\s+|,\\s*(?=[a-z][a-z+]*:[a-z/])");

    /** Several, all different. */
    static final ValueType<List<String>> LIST_TYPE =
            ValueType.of("URLs without passwords, with blanks or commas between", List.of(), ConnectionUrl::parseAll);

    private static final int MOST_CHARACTERS = 2_000;

    private static final Pattern PORT = Pattern.compile(":(\\d+)(?=[,/]|$)");
    private static final int HIGHEST_PORT = 65_535;

    private static final String HELP =
            "give the password by SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user by SIEMLOAD_USER";

    private static final List<Pattern> PASSWORDS = Stream.concat(
                    Stream.of(
                            Pattern.compile("//[^/?#@:]*:[^@?]*@"),
                            Pattern.compile("(password|passwd|pwd)\\s*=", Pattern.CASE_INSENSITIVE)),
                    DatabaseNotation.all().stream().flatMap(notation -> notation.passwordsInUrls().stream()))
            .toList();

    /** The form of urls of databases without a DatabaseNotation: none of their options is known. */
    private static final UrlForm OTHER = new UrlForm(
            "",
            "[a-z][\\w+.:-]*://" + UrlForm.SERVERS + "(?:/" + UrlForm.NAME + ")?",
            new UrlOptions(""),
            "kind://host:port/database");

    private static final List<UrlForm> FORMS = Stream.concat(
                    DatabaseNotation.all().stream().flatMap(notation -> notation.urlForms().stream()), Stream.of(OTHER))
            .toList();

    private ConnectionUrl() {}

    private static List<String> parseAll(String text) {
        List<String> urls = Stream.of(BETWEEN.split(ValueType.text().parse(text).strip()))
                .map(ConnectionUrl::parse)
                .toList();
        if (urls.stream().distinct().count() < urls.size()) {
            throw new IllegalArgumentException("names a server twice (leave one out)");
        }
        return urls;
    }

    private static String parse(String text) {
        String url = ValueType.text().parse(text);
        if (url.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("is longer than " + MOST_CHARACTERS + " characters");
        }
        if (PASSWORDS.stream().anyMatch(pattern -> pattern.matcher(url).find())) {
            throw new IllegalArgumentException("holds a password, which could end up in logs and reports ("
                    + HELP.replaceFirst("the password", "it") + ")");
        }
        FORMS.stream().filter(form -> url.startsWith(form.start())).findFirst().ifPresent(form -> require(form, url));
        return url;
    }

    private static void require(UrlForm form, String url) {
        String[] parts = url.substring(form.start().length()).split("\\?", 2);
        if (!form.rest().matcher(parts[0]).matches()) {
            throw new IllegalArgumentException("is not written as a url without a password is, and is not shown since"
                    + " it could hold one (write for example " + form.example() + "; " + HELP + ")");
        }
        PORT.matcher(parts[0])
                .results()
                .map(port -> port.group(1))
                .filter(port -> Integer.parseInt(port) < 1 || Integer.parseInt(port) > HIGHEST_PORT)
                .findFirst()
                .ifPresent(port -> {
                    throw new IllegalArgumentException(
                            "has the port " + port + " (allowed: 1 to " + HIGHEST_PORT + ")");
                });
        List<String> given = parts.length == 1 ? List.of() : List.of(parts[1].split("&", -1));
        for (int i = 0; i < given.size(); i++) {
            if (!form.options().allow(given.get(i))) {
                throw new IllegalArgumentException("has options of which number " + (i + 1)
                        + " is not known to be free of secrets (allowed: those in docs/inputs.md; " + HELP + ")");
            }
        }
    }
}
