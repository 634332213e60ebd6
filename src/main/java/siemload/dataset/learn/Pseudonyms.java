package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import siemload.dataset.SeededRandom;

/**
 * Names in the place of those of a stream, always the same one for the same name. They are made from the order in which
 * names are asked for and from their shape, never from their letters, so that nothing can be computed back. Not
 * thread-safe.
 */
final class Pseudonyms {
    private static final String CONSONANTS = "bdfgklmnprstvz";
    private static final String VOWELS = "aeiou";
    private static final int LONGEST_WORD = 60;

    private final NameRule rule;
    private final long seed;
    private final Map<String, Map<String, String>> known = new HashMap<>();

    Pseudonyms(NameRule rule, long seed) {
        this.rule = rule;
        this.seed = seed;
    }

    NameRule rule() {
        return rule;
    }

    String category(String name) {
        return IdeaWords.isCategory(name) ? name : numbered("Other.Category", name.length(), name);
    }

    List<String> sourceTypes(List<String> names) {
        return replaced(names, IdeaWords::isSourceType, "Type");
    }

    List<String> nodeTypes(List<String> names) {
        return replaced(names, IdeaWords::isNodeType, "Type");
    }

    List<String> software(List<String> names) {
        return replaced(names, name -> false, "software");
    }

    List<String> protocols(List<String> names) {
        return replaced(names, IdeaWords::isProtocol, "protocol");
    }

    /** A dotted name keeps its dots and the lengths between them: the country, then groups, then what it is. */
    String detector(String name) {
        String[] parts = name.split("[.]", -1);
        int last = parts.length - 1;
        String own = numbered("detector", parts[last].length(), name);
        if (rule == NameRule.KEEP || last == 0) {
            return own;
        }
        StringBuilder made = new StringBuilder("x".repeat(Math.max(1, parts[0].length())));
        for (int i = 1; i < last; i++) {
            String above = String.join(".", Arrays.asList(parts).subList(0, i + 1));
            made.append('.').append(numbered("group", parts[i].length(), above));
        }
        return made.append('.').append(own).toString();
    }

    /** A description without digits, see {@code DescriptionForm}: words become others of their length. */
    String description(String form) {
        if (rule == NameRule.KEEP) {
            return form;
        }
        StringBuilder text = new StringBuilder(form.length());
        int at = 0;
        while (at < form.length()) {
            if (form.startsWith("{source}", at) || form.startsWith("{port}", at)) {
                int end = form.indexOf('}', at) + 1;
                text.append(form, at, end);
                at = end;
            } else if (Character.isLetter(form.charAt(at))) {
                int end = at;
                while (end < form.length() && Character.isLetter(form.charAt(end))) {
                    end++;
                }
                text.append(word(form.substring(at, end)));
                at = end;
            } else {
                char other = form.charAt(at++);
                text.append(other >= ' ' && other < 127 ? other : '?');
            }
        }
        return text.toString();
    }

    /** Sentences of made-up words, about as long as this many characters. */
    List<String> sentences(double meanLength) {
        List<String> sentences = new ArrayList<>();
        for (double part : new double[] {0.6, 0.8, 1, 1.2, 1.4}) {
            long length = Math.max(2, Math.round(meanLength * part));
            StringBuilder text = new StringBuilder();
            while (text.length() < length - 1) {
                long left = length - 1 - text.length();
                text.append(text.isEmpty() ? "" : " ");
                text.append(madeUp(
                        (int) Math.min(Math.max(1, left), 3 + text.length() % 7), known.size() + text.length()));
            }
            sentences.add(text.append('.').toString());
        }
        return List.copyOf(sentences);
    }

    private String word(String original) {
        Map<String, String> words = known.computeIfAbsent("word", unused -> new HashMap<>());
        String made = words.computeIfAbsent(
                original.toLowerCase(Locale.ROOT),
                unused -> madeUp(Math.min(original.length(), LONGEST_WORD), words.size()));
        return Character.isUpperCase(original.charAt(0))
                ? Character.toUpperCase(made.charAt(0)) + made.substring(1)
                : made;
    }

    private String madeUp(int length, int number) {
        SeededRandom random = SeededRandom.of(seed, number);
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    private List<String> replaced(List<String> names, Predicate<String> standard, String kind) {
        return names.stream()
                .map(name -> standard.test(name) ? name : numbered(kind, name.length(), name))
                .toList();
    }

    /** A kind and a number, about as long as the name; more than a thousand of a kind make it longer. */
    private String numbered(String kind, int length, String name) {
        if (rule == NameRule.KEEP) {
            return name.isBlank() ? "-" : name;
        }
        Map<String, String> names = known.computeIfAbsent(kind, unused -> new HashMap<>());
        return names.computeIfAbsent(name, unused -> {
            int letters = Math.max(1, Math.min(length, LONGEST_WORD) - 3);
            String word =
                    kind.length() > letters ? kind.substring(0, letters) : kind + "x".repeat(letters - kind.length());
            return String.format(Locale.ROOT, "%s-%02d", word, names.size() + 1);
        });
    }
}
