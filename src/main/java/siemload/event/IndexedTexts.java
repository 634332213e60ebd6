package siemload.event;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells whether the texts of an event that databases have in indexes are short enough for all of them. */
final class IndexedTexts {
    /** What the narrowest indexed column of all databases takes; see the types of columns in their packages. */
    static final int MOST_BYTES = 2_000;

    private static final int SHOWN_CHARACTERS = 60;

    private IndexedTexts() {}

    /** Why an event cannot be stored everywhere; empty if it can. */
    static Optional<String> refusal(SecurityEvent event) {
        if (isTooLong(event.id())) {
            return refusal(event, "the ID", event.id());
        }
        for (String category : event.categories()) {
            if (isTooLong(category)) {
                return refusal(event, "a Category", category);
            }
        }
        for (Node node : event.nodes()) {
            if (isTooLong(node.name()) || node.types().stream().anyMatch(IndexedTexts::isTooLong)) {
                return refusal(event, "the Name or a Type of a Node", longest(node.name(), node.types()));
            }
        }
        return event.endpoints()
                .flatMap(endpoint -> Stream.concat(endpoint.types().stream(), endpoint.protocols().stream()))
                .filter(IndexedTexts::isTooLong)
                .findFirst()
                .flatMap(text -> refusal(event, "a Type or Proto of a Source or Target", text));
    }

    private static boolean isTooLong(String text) {
        return text.length() > MOST_BYTES / 3 && bytes(text) > MOST_BYTES;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String longest(String name, List<String> types) {
        return isTooLong(name)
                ? name
                : types.stream().filter(IndexedTexts::isTooLong).findFirst().orElse("");
    }

    private static Optional<String> refusal(SecurityEvent event, String what, String text) {
        String id = event.id();
        String shown = id.length() > SHOWN_CHARACTERS ? id.substring(0, SHOWN_CHARACTERS) + "..." : id;
        return Optional.of(String.format(
                Locale.ROOT,
                "%s of event %s has %,d bytes (allowed: at most %,d, which every database can keep in an index)",
                what,
                shown,
                bytes(text),
                MOST_BYTES));
    }
}
