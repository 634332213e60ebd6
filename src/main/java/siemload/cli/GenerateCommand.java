package siemload.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import siemload.config.Settings;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.event.IdeaLineWriter;
import siemload.run.ExitCode;
import siemload.run.RunHost.ProgressBar;

/** Writes the events of a data set to a file. */
@Command(
        name = "generate",
        description = "Writes a data set's events as IDEA JSON Lines.",
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload generate --output events.idea.gz",
            "  ./siemload generate --dataset cesnet-day --output day.idea.gz",
            "  ./siemload generate --dataset events.idea.gz --amplify 100 --output more.idea.gz"
        })
final class GenerateCommand implements Callable<Integer> {
    private static final int BATCH = 1_000;

    @Mixin
    private OutputArgument output = new OutputArgument();

    @Override
    public Integer call() {
        ProcessHost host = new ProcessHost();
        Settings settings = host.settings();
        EventSource source = Datasets.open(host.home(), Datasets.chosen(settings), settings, host::status);
        source.warnings().forEach(host::line);
        try (IdeaLineWriter writer = output.open(host);
                ProgressBar bar = new ProgressBar(host, "writing " + source.name(), source.count())) {
            source.read(BATCH, events -> {
                writer.write(events);
                bar.advance(events.size());
            });
            writer.finish();
        }
        host.line(String.format(Locale.ROOT, "%s: %,d events of %s", output, source.count(), source.name()));
        return ExitCode.OK.number();
    }
}
