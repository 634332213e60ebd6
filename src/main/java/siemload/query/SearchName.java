package siemload.query;

/**
 * The searches of the catalogue, by the names the CESNET study gave them. {@link SearchCatalog} says what each asks
 * for.
 */
public enum SearchName {
    MENTAT,
    HAWAT1,
    HAWAT2,
    HAWAT3,
    HAWAT4,
    HAWAT5,
    HAWAT6,
    HAWAT7,
    OTHER1,
    OTHER2,
    DETAIL
}
