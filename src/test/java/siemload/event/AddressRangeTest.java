package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;

class AddressRangeTest {
    private static final int SEEDS = 200;

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "192.0.2.7/32, 192.0.2.7",
        "192.0.2.7/24, 192.0.2.0/24",
        "192.0.2.0-192.0.2.255, 192.0.2.0/24",
        "192.0.2.1-192.0.2.9, 192.0.2.1-192.0.2.9",
        "192.0.2.1 - 192.0.2.9, 192.0.2.1-192.0.2.9",
        "0.0.0.0/0, 0.0.0.0/0",
        "255.255.255.255, 255.255.255.255",
        "2001:DB8::ff00:42:0/112, 2001:db8::ff00:42:0/112",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "::ffff:192.0.2.1, ::ffff:c000:201",
        "::/0, ::/0",
        "::1-::3, ::1-::3"
    })
    void theShortestUsualNotationIsWritten(String read, String written) {
        assertThat(AddressRange.parse(read)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "192.0.2",
                "192.0.2.256",
                "192.0.2.1.5",
                "192.0.2.-1",
                "1.2.3.4/33",
                "1.2.3.4/",
                "1.2.3.4/x",
                "192.0.2.9-192.0.2.1",
                "192.0.2.1-",
                "-192.0.2.1",
                "::1-192.0.2.1",
                "example.com",
                "1:2",
                ".1:80",
                ".a:b",
                ":::",
                "::g",
                "::/129",
                "12345::",
                "fe80::1%eth0"
            })
    void whatIsNoAddressIsRefusedWithItsText(String text) {
        assertThat(AddressRange.tryParse(text)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressRange.parse(text))
                .withMessageContaining("'" + text + "'");
    }

    @Test
    void overlapAndHullAgreeWithArithmeticOnBigNumbers() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            AddressRange one = random(random);
            AddressRange other = random(random);
            assertThat(AddressRange.parse(one.toString())).as("seed %d", seed).isEqualTo(one);
            boolean sameFamily = one.family() == other.family();
            boolean expected = sameFamily
                    && first(one).compareTo(last(other)) <= 0
                    && first(other).compareTo(last(one)) <= 0;

            assertThat(one.overlaps(other))
                    .as("seed %d: %s and %s", seed, one, other)
                    .isEqualTo(expected);
            assertThat(other.overlaps(one)).isEqualTo(expected);
            if (sameFamily) {
                AddressRange hull = AddressRange.hull(List.of(one, other));
                assertThat(first(hull)).isEqualTo(first(one).min(first(other)));
                assertThat(last(hull)).isEqualTo(last(one).max(last(other)));
            }
        }
    }

    /** Mostly short ranges close together, so that many overlap. */
    private static AddressRange random(SeededRandom random) {
        if (random.nextInt(2) == 0) {
            long first = (0xC000_0200L + random.nextLong(64)) & -(1L << random.nextInt(6));
            return AddressRange.ip4(first, first + random.nextLong(32));
        }
        long high = random.nextInt(2) == 0 ? -1L : 0x2001_0db8_0000_0000L;
        long low = random.nextLong() >>> random.nextInt(64);
        long length = random.nextLong() >>> (1 + random.nextInt(63));
        long last = Long.compareUnsigned(low + length, low) < 0 ? -1L : low + length;
        return new AddressRange(AddressRange.Family.IP6, high, low, high, last);
    }

    private static BigInteger first(AddressRange range) {
        return number(range.firstHigh(), range.firstLow());
    }

    private static BigInteger last(AddressRange range) {
        return number(range.lastHigh(), range.lastLow());
    }

    private static BigInteger number(long high, long low) {
        return new BigInteger(Long.toUnsignedString(high)).shiftLeft(64).or(new BigInteger(Long.toUnsignedString(low)));
    }
}
