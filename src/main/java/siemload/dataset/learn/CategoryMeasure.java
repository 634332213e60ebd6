package siemload.dataset.learn;

import java.util.List;
import java.util.regex.Pattern;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** What happened, and in which words. Not thread-safe. */
final class CategoryMeasure {
    static final String NONE = "Other";
    private static final int MOST_CATEGORIES = 1_000;
    private static final int MOST_DESCRIPTIONS = 64;
    private static final int MOST_TYPES = 32;

    private final Oddities oddities;
    private final FrequentNames<Nature> categories = new FrequentNames<>(MOST_CATEGORIES, Nature::new);
    private final SizeHistogram lengths = new SizeHistogram();
    private long second;

    /** What the events of a category are like. */
    static final class Nature {
        private final FrequentNames<Boolean> descriptions = new FrequentNames<>(MOST_DESCRIPTIONS, () -> true);
        private final FrequentNames<Boolean> sourceTypes = new FrequentNames<>(MOST_TYPES, () -> true);
        private long sources;

        FrequentNames<Boolean> descriptions() {
            return descriptions;
        }

        /** The types that most of its sources have. */
        List<String> sourceTypes() {
            return sourceTypes.ranked().stream()
                    .filter(type -> type.count() * 2 > sources)
                    .map(FrequentNames.Entry::name)
                    .toList();
        }
    }

    CategoryMeasure(Oddities oddities) {
        this.oddities = oddities;
    }

    void add(SecurityEvent event) {
        List<String> names = event.categories();
        if (names.isEmpty()) {
            oddities.add(Oddity.NO_CATEGORY);
        }
        Nature nature = categories.count(names.isEmpty() ? NONE : names.get(0));
        if (names.size() > 1) {
            second++;
            if (names.size() > 2) {
                oddities.add(Oddity.MORE_CATEGORIES);
            }
        }
        describe(event, nature);
        List<Endpoint> sources = event.sources();
        if (!sources.isEmpty()) {
            nature.sources++;
            for (String type : sources.get(0).types()) {
                nature.sourceTypes.count(type);
            }
        }
    }

    private void describe(SecurityEvent event, Nature nature) {
        String text = event.description();
        lengths.add(text.length());
        if (text.isBlank()) {
            oddities.add(Oddity.NO_DESCRIPTION);
            return;
        }
        if (text.indexOf('\0') >= 0) {
            oddities.add(Oddity.NUL);
        }
        nature.descriptions.count(DescriptionForm.of(text, event));
    }

    FrequentNames<Nature> categories() {
        return categories;
    }

    /** How many events have a second category. */
    long second() {
        return second;
    }

    /** Characters of descriptions. */
    SizeHistogram lengths() {
        return lengths;
    }

    /**
     * A description without what is the event's own: its first source address becomes {@code {source}}, its port
     * {@code {port}}, every other digit 0, and what looks like an IPv6 address {@code 0::0}. Stateless.
     */
    private static final class DescriptionForm {
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
            if (!event.sources().isEmpty()
                    && !event.sources().get(0).addresses().isEmpty()) {
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
}
