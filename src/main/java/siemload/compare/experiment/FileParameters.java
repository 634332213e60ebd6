package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.database.LayoutFolder;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;

/**
 * The parameters of the database that the file of an experiment sets. Files are handed around, so that theirs may only be
 * such as cannot execute, read or write anything. Immutable.
 *
 * @param origin where they stand
 * @param texts each as it is written: {@code work_mem=64MB,jit=off}
 */
record FileParameters(Origin origin, List<String> texts) {

    /**
     * Those of a file.
     *
     * @param values that the command line put in the place of those of the axis
     */
    static FileParameters of(Experiment read, List<String> values) {
        return new FileParameters(origin(read), texts(Property.PARAMETERS, read, values));
    }

    private static Origin origin(Experiment read) {
        return new Origin.WholeFile("experiment " + read.name());
    }

    private static List<String> texts(Property<?> property, Experiment read, List<String> values) {
        List<String> texts = new ArrayList<>();
        texts.add(read.settings().getOrDefault(property.name(), ""));
        read.varied().stream()
                .filter(axis -> values.isEmpty() && axis.property().equals(property.name()))
                .forEach(axis -> texts.addAll(axis.values()));
        texts.removeIf(String::isEmpty);
        return List.copyOf(texts);
    }

    /**
     * Looks that the file names no folder of a layout, whose statements the database would execute.
     *
     * @param values as for {@link #of}
     * @throws ConfigException if it does
     */
    static void requireNoLayoutFolder(Experiment read, List<String> values) {
        for (String layout : texts(Property.LAYOUT, read, values)) {
            if (LayoutFolder.isMeant(layout)) {
                throw new ConfigException(
                        origin(read),
                        "layout: '" + layout
                                + "' is a folder, whose statements would be executed; a file cannot name one"
                                + " (give it on the command line: --layout " + layout + ", or --values mentat," + layout
                                + " where layout is what varies)");
            }
        }
    }

    /** @throws ConfigException if a target of the experiment does not take one of them from a file */
    void check(Experiment experiment) {
        for (ComparedVariant cell : experiment.runCells()) {
            String target = cell.settings()
                    .getOrDefault(
                            Property.TARGET.name(),
                            experiment.settings().getOrDefault(Property.TARGET.name(), defaultTarget()));
            TargetPlugins.find(target).ifPresent(this::check);
        }
    }

    private static String defaultTarget() {
        return Property.TARGET.defaultText().orElseThrow();
    }

    private void check(TargetPlugin plugin) {
        for (String text : texts) {
            Map<String, String> parameters = Property.PARAMETERS.type().parse(text);
            plugin.refusalFromFile(parameters).ifPresent(why -> {
                throw new ConfigException(
                        origin, "parameters: " + why + " (give them on the command line: --parameters " + text + ")");
            });
        }
    }
}
