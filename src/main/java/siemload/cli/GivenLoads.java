package siemload.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import siemload.compare.capacity.CapacityPlan.Against;
import siemload.compare.capacity.VariedLoad;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;

/** Reads values of a load: {@code eventsPerSecond=0,500,1000}. Stateless. */
final class GivenLoads {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    private GivenLoads() {}

    /**
     * The values.
     *
     * @param varied what grows beside them
     * @param most how many there may be
     * @throws ConfigException if they are none, or of what grows
     */
    static Against of(String text, List<VariedLoad> varied, int most) {
        String[] parts = text.split("=", 2);
        Choices<VariedLoad> known = Choices.camelCase(VariedLoad.class);
        VariedLoad load = known.find(parts[0].strip())
                .orElseThrow(() -> refused("'" + parts[0] + "' is unknown (" + known.help(parts[0]) + ")"));
        if (varied.size() > 1 || varied.contains(load)) {
            throw refused("says values of " + load.label() + " beside --vary "
                    + String.join(",", varied.stream().map(VariedLoad::label).toList())
                    + " (allowed: one load to vary, and values of another one)");
        }
        if (parts.length < 2 || parts[1].isBlank()) {
            throw refused("says no values (allowed: " + load.label() + "=0,500,1000)");
        }
        List<Double> loads = new ArrayList<>();
        for (String number : parts[1].split(",", -1)) {
            loads.add(number(number.strip()));
        }
        if (loads.size() > most || loads.stream().distinct().count() < loads.size()) {
            throw refused("'" + parts[1] + "' (allowed: different values, " + most + " at most)");
        }
        return new Against(load, loads);
    }

    private static double number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw refused("'" + text + "' is no number (allowed: 0 or more)");
        }
        return Double.parseDouble(text);
    }

    private static ConfigException refused(String message) {
        return new ConfigException(new Origin.Option("against"), message);
    }
}
