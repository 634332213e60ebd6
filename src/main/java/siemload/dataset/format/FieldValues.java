package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import siemload.event.AddressRange;

/** What IDEA takes of the value of a field, if anything. Stateless. */
final class FieldValues {
    private static final int LONGEST_TEXT = 1_000;
    private static final int LONGEST_PROTOCOL = 40;
    private static final int LONGEST_NUMBER = 18;
    private static final int LARGEST_PORT = 65_535;
    private static final Set<String> NO_TEXT = Set.of("", "-");

    private FieldValues() {}

    static Optional<String> text(JsonNode value) {
        boolean fits =
                value.isTextual() && value.textValue().length() <= LONGEST_TEXT && !NO_TEXT.contains(value.textValue());
        return fits ? Optional.of(value.textValue()) : Optional.empty();
    }

    /** In lower case, as IDEA writes them. */
    static Optional<String> protocol(JsonNode value) {
        return value.isTextual() && isWord(value.textValue())
                ? Optional.of(IdeaPlace.lower(value.textValue()))
                : Optional.empty();
    }

    private static boolean isWord(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST_PROTOCOL
                && text.chars().allMatch(c -> c > ' ' && c < 127);
    }

    static Optional<AddressRange> address(JsonNode value) {
        return value.isTextual() ? AddressRange.tryParse(value.textValue()) : Optional.empty();
    }

    static Optional<Integer> port(JsonNode value) {
        return number(value).filter(port -> port <= LARGEST_PORT).map(Long::intValue);
    }

    static Optional<Long> number(JsonNode value) {
        String digits = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
        boolean number = !digits.isEmpty()
                && digits.length() <= LONGEST_NUMBER
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Optional.of(Long.valueOf(digits)) : Optional.empty();
    }
}
