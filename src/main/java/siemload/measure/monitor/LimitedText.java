package siemload.measure.monitor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer as text, up to a size that none has that is meant for us. */
final class LimitedText implements BodySubscriber<String> {
    private static final int MOST_BYTES = 16 << 20;

    private static final Flow.Subscription NOTHING = new Flow.Subscription() {
        @Override
        public void request(long items) {}

        @Override
        public void cancel() {}
    };

    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.Subscription subscription = NOTHING;

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public void onSubscribe(Flow.Subscription toBody) {
        subscription = toBody;
        toBody.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (bytes.size() + part.remaining() > MOST_BYTES) {
                subscription.cancel();
                text.completeExceptionally(new IOException("the answer is longer than " + (MOST_BYTES >> 20) + " MiB"));
                return;
            }
            byte[] content = new byte[part.remaining()];
            part.get(content);
            bytes.write(content, 0, content.length);
        }
    }

    @Override
    public void onError(Throwable failure) {
        text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        text.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}
