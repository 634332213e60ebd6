package siemload.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    /** Opens a page that tells of its errors, its log and what it asks for, so many pixels wide and in a colour scheme. */
    public DevTools open(String url, int width, String scheme) throws IOException, InterruptedException {
        DevTools page = newPage();
        page.listen(List.of("Runtime", "Log", "Network", "Page"));
        page.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        page.show(scheme, "screen");
        page.navigate(url);
        page.settle();
        return page;
    }

    /** Opens an empty page. */
    DevTools newPage() throws IOException, InterruptedException {
        return chromium.orElseThrow().newPage();
    }
}
