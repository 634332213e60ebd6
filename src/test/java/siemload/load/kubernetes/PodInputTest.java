package siemload.load.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import siemload.load.kubernetes.KubernetesInjectors.PodChannel.PodInput;

class PodInputTest {
    private final AtomicInteger ended = new AtomicInteger();

    /** As the client's stream is once its connection was reset. */
    private static final class Reset extends OutputStream {
        @Override
        public void write(int unused) {
            throw KubernetesClientException.launderThrowable(new IOException("Connection reset"));
        }

        @Override
        public void write(byte[] unused, int offset, int length) {
            write(0);
        }

        @Override
        public void flush() {
            throw new IllegalStateException("closed");
        }
    }

    @Test
    void whatIsToldGetsThereAndItsEndIsThatOfTheConnection() throws IOException {
        ByteArrayOutputStream there = new ByteArrayOutputStream();
        try (PodInput input = new PodInput(there, ended::incrementAndGet)) {
            input.write("stop\n".getBytes(StandardCharsets.UTF_8));
            input.flush();
            assertThat(ended).hasValue(0);
        }

        assertThat(there.toString(StandardCharsets.UTF_8)).isEqualTo("stop\n");
        assertThat(ended).hasValue(1);
    }

    @Test
    void aConnectionThatHasFailedIsAFailureOfTheStreamAndStillEnded() {
        PodInput input = new PodInput(new Reset(), ended::incrementAndGet);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> input.write(new byte[3]))
                .withMessage("the connection has failed: Connection reset");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> input.write(1));
        assertThatExceptionOfType(IOException.class).isThrownBy(input::close).withMessageContaining("closed");
        assertThat(ended).hasValue(1);
    }
}
