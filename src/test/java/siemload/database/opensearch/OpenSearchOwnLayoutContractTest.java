package siemload.database.opensearch;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CursorContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.layout.BlockFiles;
import siemload.query.Paging;

@Tag("database")
@Tag("exhaustive")
final class OpenSearchOwnLayoutContractTest extends ContractTest
        implements SearchContract, PagingContract, CursorContract, SinkContract {
    private static final Pattern FIELD = Pattern.compile("(?<!\"[$](?:param|each)\": )\"("
            + "category|detector|description|hour|lowest_source|port|port[.]text"
            + "|(?:source|target|[{]side[}])_(?:port|(?:ip|range)(?:4|6|[{]n[}])))\"");

    OpenSearchOwnLayoutContractTest() {
        super(new ContractSubject(new OpenSearchPlugin(), variant(), OpenSearchTestServer::start));
    }

    private static Variant variant() {
        SortedMap<String, String> files = new TreeMap<>();
        BlockFiles.of(new OpenSearchPlugin().ownLayouts().orElseThrow().files("idea", Partitions.NONE))
                .forEach((file, text) -> files.put(file, FIELD.matcher(text).replaceAll("\"my_$1\"")));
        files.computeIfPresent(
                "indexes-native.json",
                (file, text) -> text.replace("\"number_of_shards\": 1", "\"number_of_shards\": 3"));
        // With as many values of each shard, what is the most frequent of all is known for sure.
        files.computeIfPresent(
                "top-list.json",
                (file, text) -> text.replace("\"size\": {", "\"shard_size\": 100000,\n            \"size\": {"));
        LayoutFolder folder = new LayoutFolder("renamed", "renamed", BlockFiles.folder(files));
        return new Variant(
                folder.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(folder));
    }
}
