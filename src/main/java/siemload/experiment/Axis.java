package siemload.experiment;

import java.util.List;

/**
 * What varies in an experiment. Immutable.
 *
 * @param property the name of a property
 * @param values two or more, all different, as they would be written
 */
public record Axis(String property, List<String> values) {

    public Axis {
        values = List.copyOf(values);
    }
}
