package siemload.dataset.learn;

import java.util.regex.Pattern;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/**
 * A description without what is the event's own: its first source address becomes {@code {source}}, its port
 * {@code {port}}, every other digit 0, and what looks like an IPv6 address {@code 0::0}. Stateless.
 */
final class DescriptionForm {
    private static final Pattern ADDRESS =
            Pattern.compile("(?<![\\p{Alnum}:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]*(?:/[0-9]+)?");
    private static final Pattern DIGIT = Pattern.compile("[0-9]");
    private static final int LONGEST = 400;

    private DescriptionForm() {}

    static String of(String text, SecurityEvent event) {
        if (isPlain(text)) {
            return text;
        }
        String form = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        form = form.replace('{', '(').replace('}', ')').replace('\0', ' ');
        if (!event.sources().isEmpty() && !event.sources().get(0).addresses().isEmpty()) {
            form = form.replace(event.sources().get(0).addresses().get(0).toString(), "{source}");
        }
        int port = port(event);
        if (port >= 0) {
            form = form.replaceAll("(?<![0-9.:])" + port + "(?![0-9.:]*[0-9])", "{port}");
        }
        return DIGIT.matcher(ADDRESS.matcher(form).replaceAll("0::0")).replaceAll("0");
    }

    private static int port(SecurityEvent event) {
        for (Endpoint target : event.targets()) {
            if (!target.ports().isEmpty()) {
                return target.ports().get(0);
            }
        }
        return -1;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= '0' && c <= '9') || c == ':' || c == '{' || c == '}' || c == 0) {
                return false;
            }
        }
        return text.length() <= LONGEST;
    }
}
