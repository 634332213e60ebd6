package siemload.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.run.ExitCode;
import siemload.run.LayoutTrial;

/** Tries a layout of one's own, or makes the folder of one to begin with. */
@Command(
        name = "check-layout",
        description = {
            "Checks the answers of a layout of your own.",
            "Holds the answers of a layout of your own against the events: with some of the data set loaded,"
                    + " every search that siemload brings, in every order, page by page, counted and summed up,"
                    + " with each index set and each hint that the layout has. The first wrong answer is told."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all answers are right",
            "1:one is not",
            "2:something is wrong with the files of the layout",
            "3:the database could not be started, or does not take the tables"
        },
        footer = {
            "  ./siemload check-layout --copy mentat layouts/mine",
            "  ./siemload check-layout --copy address --partitions day layouts/mine",
            "  ./siemload check-layout layouts/mine",
            "  ./siemload check-layout --target mongodb --copy idea layouts/mine"
        })
final class CheckLayoutCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", description = "the folder of the layout")
    private String folder = "";

    @Option(
            names = "--copy",
            paramLabel = "LAYOUT",
            description =
                    "one of the target's layouts, whose files are written into the folder, which must be new or empty")
    private Optional<String> copied = Optional.empty();

    @Override
    public Integer call() throws IOException {
        if (copied.isPresent()) {
            return copy(copied.get(), new ProcessHost()).number();
        }
        ProcessHost.addOption(
                Property.LAYOUT.name(), folder.contains("/") ? folder : "./" + folder, new Origin.Argument("FOLDER"));
        return LayoutTrial.run(new ProcessHost()).number();
    }

    private ExitCode copy(String layout, ProcessHost host) throws IOException {
        Settings settings = host.settings();
        Map<String, String> files = files(layout, settings);
        Path path = Path.of(folder);
        requireEmpty(path);
        Files.createDirectories(path);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(
                    path.resolve(file.getKey()),
                    file.getValue(),
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE_NEW);
        }
        host.line(folder + ": " + files.size() + " files of layout " + layout + " (run it by --layout " + folder + ")");
        return ExitCode.OK;
    }

    private static Map<String, String> files(String layout, Settings settings) {
        String target = settings.value(Property.TARGET);
        TargetPlugin plugin = TargetPlugin.find(target)
                .filter(known -> known.ownLayouts().isPresent())
                .orElseThrow(() -> new ConfigException(
                        settings.origin(Property.TARGET),
                        "'" + target + "' takes no layouts of your own (allowed: "
                                + TargetPlugin.names(one -> one.ownLayouts().isPresent()) + ")"));
        if (!plugin.abilities().layouts().contains(layout)) {
            throw new ConfigException(
                    new Origin.Option("copy"),
                    "target " + target + " does not offer '" + layout + "' ("
                            + Choices.names(plugin.abilities().layouts()).help(layout) + ")");
        }
        Partitions partitions = settings.find(Property.PARTITIONS)
                .flatMap(Choices.of(Partitions.class, Partitions::label)::find)
                .orElse(plugin.abilities().partitions().get(0));
        return plugin.ownLayouts().orElseThrow().files(layout, partitions);
    }

    private void requireEmpty(Path path) throws IOException {
        if (Files.notExists(path)) {
            return;
        }
        if (!Files.isDirectory(path)) {
            throw new ConfigException(new Origin.WholeFile(folder), "is no directory (needed: a new or an empty one)");
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.findAny().isPresent()) {
                throw new ConfigException(
                        new Origin.WholeFile(folder),
                        "is not empty (needed: a new or an empty directory; nothing in it is written over)");
            }
        }
    }
}
