package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("every-java")
class IdeaValuesTest {
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

    @Test
    void whatIsNoAddressIsRefusedWithItsText() {
        String none =
                "| |192.0.2|192.0.2.256|192.0.2.1.5|192.0.2.-1|1.2.3.4/33|1.2.3.4/|1.2.3.4/x|192.0.2.9-192.0.2.1|192.0.2.1-"
                        + "|-192.0.2.1|::1-192.0.2.1|example.com|1:2|.1:80|.a:b|:::|::g|::/129|12345::|fe80::1%eth0";
        for (String text : none.split("[|]", -1)) {
            assertThat(AddressRange.tryParse(text)).as(text).isEmpty();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AddressRange.parse(text))
                    .withMessageContaining("'" + text + "'");
        }
    }

    @Test
    void tenThousandTimesAreWrittenAndReadLikeTheJdkDoes() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            long nanos = i % 4 == 0 ? 0 : random.nextInt(1_000) * (long) Math.pow(10, 3 * (i % 3));
            Instant time = Instant.ofEpochSecond(random.nextLong(-62_135_596_800L, 253_402_300_800L), nanos);
            assertThat(IdeaTime.format(time)).isEqualTo(time.toString());
            assertThat(IdeaTime.parse(time.toString())).contains(time);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2016-06-06T14:00:00+02:00, 2016-06-06T12:00:00Z",
        "2016-06-06T14:00:00+0200, 2016-06-06T12:00:00Z",
        "2016-06-06 12:00:00Z, 2016-06-06T12:00:00Z",
        "2016-06-06t12:00:00z, 2016-06-06T12:00:00Z",
        "2018-04-30T08:54:28.550680Z, 2018-04-30T08:54:28.550680Z",
        "2016-06-06T06:30:00.5-05:30, 2016-06-06T12:00:00.500Z",
        "2016-06-06T12:00:00.1234567891Z, 2016-06-06T12:00:00.123456789Z",
        "2016-06-06T12:00:00-00:00, 2016-06-06T12:00:00Z",
        "2016-06-30T23:59:60Z, 2016-07-01T00:00:00Z",
        "2017-01-01T00:59:60.5+01:00, 2017-01-01T00:00:00.500Z",
    })
    void offsetsAndFractionsAreRead(String text, String utc) {
        assertThat(IdeaTime.parse(text)).contains(Instant.parse(utc));
    }

    @Test
    void whatIsNoTimeIsRefused() {
        String none =
                ",yesterday,2016-06-06,2016-06-06T12:00:00,2016-13-06T12:00:00Z,+12016-01-06T12:00:00Z,0000-01-06T12:00:00Z"
                        + ",2016-06-06T24:00:01Z,2016-06-06T24:00:00Z,2023-02-29T12:00:00Z,2023-02-30T12:00:00+01:00,2023-04-31T12:00:00Z"
                        + ",2016-06-06T12:60:00Z,2016-06-06T23:59:60Z,2016-06-30T23:58:60Z,2016-06-06T12:00:0xZ,2016-06-06T12:00:00:5Z,2016-06-06T12:00:00.12x4Z";
        for (String text : none.split(",", -1)) {
            assertThat(IdeaTime.parse(text)).as(text).isEmpty();
        }
    }
}
