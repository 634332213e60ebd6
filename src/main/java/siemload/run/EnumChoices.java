package siemload.run;

import java.util.Map;
import siemload.config.Choices;
import siemload.config.PropertyChoices;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.query.Paging;
import siemload.scenario.CacheState;

/** The enums whose constants properties choose from. Stateless. */
public final class EnumChoices implements PropertyChoices {

    @Override
    public Map<String, Choices<?>> byProperty() {
        return Map.ofEntries(
                Map.entry("provision", Choices.of(Provision.class, Provision::label)),
                Map.entry("partitions", Choices.of(Partitions.class, Partitions::label)),
                Map.entry("indexes", Choices.of(IndexSet.class, IndexSet::label)),
                Map.entry("hint", Choices.of(Hint.class, Hint::label)),
                Map.entry("paging", Choices.of(Paging.class, Paging::label)),
                Map.entry("caches", Choices.camelCase(CacheState.class)));
    }
}
