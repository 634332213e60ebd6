package siemload.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.dataset.ExistingValues;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.SearchDefinition;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;

/** Which values a search draws, where queries give them, as {@link SearchDraw} draws them. Stateless. */
public final class DrawnFields {
    private DrawnFields() {}

    /** The queries or columns that the search needs and that gave nothing, for people; none where it can be drawn. */
    public static List<String> missing(SearchDefinition search, ExistingValues values) {
        List<String> missing = new ArrayList<>();
        for (Need need : needs(search)) {
            if (!values.has(need.field)) {
                missing.add(need.field.label());
            } else if (need.beside.isPresent() && !values.has(need.field, need.beside.get())) {
                missing.add("the column " + need.beside.get().label() + " of " + need.field.label());
            }
        }
        return missing.stream().distinct().toList();
    }

    /** A value, perhaps with what occurred together with it. */
    private record Need(ValueField field, Optional<Beside> beside) {
        static Need of(ValueField field) {
            return new Need(field, Optional.empty());
        }

        static Need of(ValueField field, Beside beside) {
            return new Need(field, Optional.of(beside));
        }
    }

    private static List<Need> needs(SearchDefinition search) {
        List<Need> needs = new ArrayList<>();
        for (CriterionKey key : CriterionKey.values()) {
            if (search.draws(key)) {
                needs.add(need(key, search));
            }
        }
        return needs;
    }

    private static Need need(CriterionKey key, SearchDefinition search) {
        boolean either = search.side() == EventSide.EITHER;
        boolean besideAddress = either && (search.draws(CriterionKey.ADDRESS) || search.draws(CriterionKey.ADDRESSES));
        return switch (key) {
            case ADDRESS, ADDRESSES, RANGE -> Need.of(address(search.side()));
            case SERVICE -> Need.of(ValueField.ADDRESS, Beside.PORT);
            case CATEGORY -> category(search, either, besideAddress);
            case DETECTOR ->
                besideAddress ? Need.of(ValueField.ADDRESS, Beside.DETECTOR) : Need.of(ValueField.DETECTOR);
            case PORT ->
                besideAddress || (either && search.draws(CriterionKey.SERVICE))
                        ? Need.of(ValueField.ADDRESS, Beside.PORT)
                        : Need.of(port(search.side()));
            case ID -> Need.of(ValueField.ID);
            case TEXT -> Need.of(ValueField.TEXT);
            case DESCRIPTION -> Need.of(ValueField.DESCRIPTION);
        };
    }

    private static Need category(SearchDefinition search, boolean either, boolean besideAddress) {
        if (besideAddress || (either && search.draws(CriterionKey.RANGE))) {
            return Need.of(ValueField.ADDRESS, Beside.CATEGORY);
        }
        return either && search.draws(CriterionKey.DETECTOR)
                ? Need.of(ValueField.DETECTOR, Beside.CATEGORY)
                : Need.of(ValueField.CATEGORY);
    }

    private static ValueField address(EventSide side) {
        return switch (side) {
            case SOURCE -> ValueField.SOURCE;
            case TARGET -> ValueField.TARGET;
            case EITHER -> ValueField.ADDRESS;
        };
    }

    private static ValueField port(EventSide side) {
        return switch (side) {
            case SOURCE -> ValueField.SOURCE_PORT;
            case TARGET -> ValueField.TARGET_PORT;
            case EITHER -> ValueField.PORT;
        };
    }
}
