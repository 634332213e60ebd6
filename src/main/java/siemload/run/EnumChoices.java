package siemload.run;

import java.util.Map;
import siemload.config.Choices;
import siemload.config.PropertyChoices;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Provision;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;

/** The enums whose constants properties choose from. Stateless. */
public final class EnumChoices implements PropertyChoices {

    @Override
    public Map<String, Choices<?>> byProperty() {
        return Map.of(
                "provision", Choices.of(Provision.class, Provision::label),
                "indexes", Choices.of(IndexSet.class, IndexSet::label),
                "hint", Choices.of(Hint.class, Hint::label),
                "paging", Choices.of(Paging.class, Paging::label),
                "order", Choices.camelCase(Order.class),
                "popularity", Choices.camelCase(Popularity.class),
                "count", Choices.camelCase(Procedure.Counting.class),
                "statistics", Choices.camelCase(Procedure.Statistics.class),
                "caches", Choices.camelCase(CacheState.class));
    }
}
