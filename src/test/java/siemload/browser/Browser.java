package siemload.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.config.directory.DirectoryTree;

/** The browser of a test class, which is skipped where there is none. To be registered as a static extension. */
public final class Browser implements BeforeAllCallback, AfterAllCallback {
    private Optional<Path> profile = Optional.empty();
    private Optional<Chromium> chromium = Optional.empty();

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        profile = Optional.of(Files.createTempDirectory("siemload-browser"));
        chromium = Optional.of(Chromium.start(profile.orElseThrow()));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        if (chromium.isPresent()) {
            chromium.orElseThrow().close();
        }
        DirectoryTree.delete(profile.orElseThrow());
    }

    /** Opens an empty page. */
    public DevTools newPage() throws IOException, InterruptedException {
        return chromium.orElseThrow().newPage();
    }
}
