package siemload.database.postgresql.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.event.AddressRange;

final class SqlTextTest {

    @Test
    void nulAndHalvesOfSurrogatesCannotBeStored() {
        assertThat(SqlText.clean("plain é")).isEqualTo("plain é");
        assertThat(SqlText.clean("a\0b\0")).isEqualTo("ab");
        assertThat(SqlText.clean("a\uD83Db")).isEqualTo("a\uFFFDb");
        assertThat(SqlText.clean("\uD83D\uDE00")).isEqualTo("\uD83D\uDE00");
    }

    @Test
    void timesAreInWholeMicrosecondsOfUtc() {
        assertThat(SqlText.timestamp(Instant.parse("2016-06-06T12:00:00Z"))).isEqualTo("2016-06-06 12:00:00.000000+00");
        assertThat(SqlText.timestamp(Instant.parse("2016-06-06T12:00:01.0000019Z")))
                .isEqualTo("2016-06-06 12:00:01.000001+00");
        assertThat(SqlText.timestamp(Instant.parse("0000-12-31T00:00:00Z")))
                .isEqualTo("0001-12-31 00:00:00.000000+00 BC");
        assertThat(SqlText.timestamp(Instant.parse("+12345-01-01T00:00:00Z")))
                .isEqualTo("12345-01-01 00:00:00.000000+00");
        assertThat(SqlText.timestamp(Instant.MAX)).isEqualTo("infinity");
        assertThat(SqlText.timestamp(Instant.MIN)).isEqualTo("-infinity");
    }

    @Test
    void arraysQuoteEachText() {
        assertThat(SqlText.textArray(List.of())).isEqualTo("{}");
        assertThat(SqlText.textArray(List.of("a", "NULL", "", "q\"b\\", "x\0y")))
                .isEqualTo("{\"a\",\"NULL\",\"\",\"q\\\"b\\\\\",\"xy\"}");
        assertThat(SqlText.intArray(List.of(0, 65_535))).isEqualTo("{0,65535}");
    }

    @Test
    void addressesAreRangesOfNumbers() {
        AddressRange six = AddressRange.parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
        assertThat(SqlText.range(AddressRange.parse("0.0.1.0/24"))).isEqualTo("[256,511]");
        assertThat(SqlText.range(six))
                .isEqualTo("[340282366920938463463374607431768211455,340282366920938463463374607431768211455]");
        List<AddressRange> two = List.of(AddressRange.parse("0.0.0.9"), AddressRange.parse("0.0.0.1-0.0.0.3"));
        assertThat(SqlText.multirange(two)).isEqualTo("{[9,9],[1,3]}");
        assertThat(SqlText.hull(two)).isEqualTo("[1,9]");
        assertThat(SqlText.multirange(List.of())).isEqualTo("{}");
        assertThat(SqlText.hull(List.of())).isEqualTo("empty");
    }
}
