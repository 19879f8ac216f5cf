import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** Starts a node of OpenSearch. Each argument is a setting, such as "http.port=9200". */
public class SearchNode extends Node {
  private SearchNode(Environment environment) {
    super(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class), true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      if (parts[1].contains(",")) settings.putList(parts[0], parts[1].split(","));
      else settings.put(parts[0], parts[1]);
    }
    settings.put("transport.type", "netty4").put("http.type", "netty4");
    new SearchNode(InternalSettingsPreparer.prepareEnvironment(
        settings.build(), Map.of(), null, () -> "node")).start();
    Thread.currentThread().join();
  }
}
