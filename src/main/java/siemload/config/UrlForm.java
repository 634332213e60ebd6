package siemload.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The form of a database's urls: a grammar without any place for a password. A url of any other form may hold a password in an unexpected
 * place. Such a url is refused before a driver sees it, and messages do not show it. Immutable.
 *
 * @param rest a case-insensitive pattern of the part between the start and the options, without any place for a password; {@code {servers}}
 *     stands for one or several servers, each with or without a port, {@code {name}} for the name of a database
 * @param example a url for messages
 */
public record UrlForm(String start, String rest, String example) {
    static final int MOST_PORT = 65_535;

    private static final String HOST = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%25?\\w+)?])";
    private static final String SERVERS = HOST + "(?::\\d{1,5})?(?:," + HOST + "(?::\\d{1,5})?)*+";
    private static final String NAME = "[\\w.$~%+-]*";
    private static final int MOST_CHARACTERS = 2_000;
    private static final Pattern VALUE = Pattern.compile("[\\w.,:/=@%+*()$~-]{0,500}");
    /** The characters allowed in a user: arbitrary text could hold a name and a password. */
    private static final Pattern USER = Pattern.compile("[\\w.@%+$#-]{1,100}");

    private static final Pattern PORT = Pattern.compile(":(\\d+)(?=[,/]|$)");

    /** Blanks, or commas before the start of another url; other commas may be part of a url. */
    private static final Pattern BETWEEN = Pattern.compile("\\s+|,\\s*(?=[a-z][a-z+]*:[a-z/])");

    private static final String HELP =
            "give the password in SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user in SIEMLOAD_USER";

    private static final UrlForm OTHER =
            new UrlForm("", "[a-z][\\w+.:-]*://{servers}(?:/{name})?", "kind://host:port/database");

    /** Returns the type of one url. */
    static ValueType<String> url() {
        return new ValueType<>("URL without a password", "", UrlForm::parse);
    }

    /** Returns the type of several urls, all different. */
    static ValueType<List<String>> urls() {
        return new ValueType<>("URLs without passwords, separated by blanks or commas", List.of(), text -> {
            String[] all = BETWEEN.split(ValueType.text().parse(text).strip());
            List<String> urls = Stream.of(all).map(UrlForm::parse).toList();
            ValueType.require(Set.copyOf(urls).size() == urls.size(), "names a server twice (remove one)");
            return urls;
        });
    }

    private static String parse(String text) {
        String url = ValueType.text().parse(text);
        ValueType.require(url.length() <= MOST_CHARACTERS, "is longer than " + MOST_CHARACTERS + " characters");
        for (DatabaseNotation notation : DatabaseNotation.all()) {
            for (UrlForm form : notation.urlForms()) {
                if (url.startsWith(form.start)) {
                    return form.required(url, notation.urlOptions());
                }
            }
        }
        // No options are known for databases without a notation.
        return OTHER.required(url, "");
    }

    private String required(String url, String options) {
        String[] parts = url.substring(start.length()).split("\\?", 2);
        String form = rest.replace("{servers}", SERVERS).replace("{name}", NAME);
        String unlike = "does not have the form of a url without a password (write for example " + example + "; " + HELP
                + "); the value is not shown, since it could hold a password";
        ValueType.require(parts[0].matches("(?i)" + form), unlike);
        PORT.matcher(parts[0]).results().map(port -> port.group(1)).forEach(port -> {
            boolean fits = port.length() <= 5 && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= MOST_PORT;
            ValueType.require(fits, "has the port " + port + " (allowed: 1 to 65535)");
        });
        List<String> known = List.of(options.toLowerCase(Locale.ROOT).split("\\s+"));
        List<String> given = parts.length == 1 ? List.of() : List.of(parts[1].split("&", -1));
        for (int i = 0; i < given.size(); i++) {
            String[] option = given.get(i).split("=", 2);
            String name = option[0].toLowerCase(Locale.ROOT);
            String which = "has options, and option " + (i + 1);
            Pattern value = name.equals("user") ? USER : VALUE;
            if (known.contains(name + "!")) {
                throw new IllegalArgumentException(which + " chooses among servers (give only the one that is measured;"
                        + " standbys that answer searches: readUrls)");
            } else if (!given.get(i).isEmpty()
                    && (option.length < 2 || name.isEmpty() || name.endsWith("!") || !known.contains(name))) {
                throw new IllegalArgumentException(which
                        + " is not known to be free of secrets (allowed: options in docs/properties.md; " + HELP + ")");
            } else if (option.length == 2 && !value.matcher(option[1]).matches()) {
                throw new IllegalArgumentException(which + " has a value that could hold a secret (write a blank as"
                        + " %20, and other characters in the same way; " + HELP + ")");
            }
        }
        return url;
    }
}
