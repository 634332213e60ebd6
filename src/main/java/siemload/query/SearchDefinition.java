package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a search asks for, as its file says. Immutable.
 *
 * @param description one line for people
 * @param criteria its conditions, all of which an event must meet; empty finds every event
 * @param summary how its events are summed up; empty where they are listed
 * @param wholeOrder the order in which its whole result is read; empty where that is for its users to choose
 * @param window the stretch of time it looks at whatever its users want; empty where that is for them to choose
 * @param refinements the searches to which a user who has seen a row narrows it: each asks for one thing more, or is
 *     DETAIL; empty where nobody does
 */
public record SearchDefinition(
        SearchName name,
        String description,
        List<Criterion> criteria,
        Optional<Summary> summary,
        Optional<Order> wholeOrder,
        Optional<Window> window,
        List<SearchName> refinements) {

    public SearchDefinition {
        criteria = List.copyOf(criteria);
        refinements = List.copyOf(refinements);
    }

    /** One of which nothing else is said. */
    public SearchDefinition(SearchName name, String description, List<Criterion> criteria, Optional<Summary> summary) {
        this(name, description, criteria, summary, Optional.empty(), Optional.empty(), List.of());
    }

    /** The order of the rows of a page, where a user wants this one. */
    public Order order(Page page, Order wanted) {
        return page instanceof Page.Whole ? wholeOrder.orElse(wanted) : wanted;
    }

    /** The criteria of the search, with others in the place of what is drawn. */
    public List<Criterion> criteria(Function<Criterion.Drawn, Criterion> values) {
        List<Criterion> filled = new ArrayList<>(criteria.size());
        criteria.forEach(criterion -> filled.add(criterion.with(values)));
        return filled;
    }

    /** Whether it looks for a value of this kind that is drawn. */
    public boolean draws(CriterionKey key) {
        return drawn().anyMatch(drawn -> drawn.key() == key);
    }

    /** Whether it looks for as many addresses as it is given, not for one. */
    public boolean hasList() {
        return draws(CriterionKey.ADDRESSES);
    }

    /** The one side on which it looks for what it draws; either where there is no such side. */
    public EventSide side() {
        List<EventSide> sides = drawn().filter(drawn -> drawn.key().hasSides())
                .map(Criterion.Drawn::side)
                .distinct()
                .toList();
        return sides.size() == 1 ? sides.get(0) : EventSide.EITHER;
    }

    /** What another search asks for more than this one; empty unless that is one thing, whose value is drawn. */
    public Optional<Criterion.Drawn> addedBy(SearchDefinition other) {
        List<Criterion> added = new ArrayList<>(other.criteria());
        boolean hasAll = criteria.stream().allMatch(added::remove);
        return hasAll && added.size() == 1 && added.get(0) instanceof Criterion.Drawn drawn
                ? Optional.of(drawn)
                : Optional.empty();
    }

    /** Whether users who have seen a row may narrow this search to that one: it asks for one thing of the row more, or is DETAIL. */
    public boolean isNarrowedBy(SearchDefinition other) {
        return other.name().equals(SearchName.DETAIL)
                || (other.summary().isEmpty()
                        && addedBy(other)
                                .filter(added -> added.key().isSeenInRows())
                                .isPresent());
    }

    private Stream<Criterion.Drawn> drawn() {
        return criteria.stream().flatMap(Criterion::drawn);
    }
}
