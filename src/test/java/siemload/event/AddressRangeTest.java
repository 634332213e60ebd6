package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
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
}
