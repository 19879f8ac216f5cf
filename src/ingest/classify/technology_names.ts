/**
 * Technologies that texts of companies name: products, languages and tools. Each line has one name,
 * and its other spellings after `=`. Names match only with their capitals, so that everyday words
 * do not match. "Go", "R" and "C" are omitted, because they cannot be distinguished from other
 * words.
 */
export const TECHNOLOGY_NAMES = `
.NET=ASP.NET=.NET Core=dotnet
ABAP
Active Directory
Adobe Creative Cloud=Adobe Creative Suite
Adobe Experience Manager
Adobe Illustrator
Adobe InDesign
Adobe Photoshop=Photoshop
After Effects
Airtable
Akamai
Alteryx
Amazon Web Services=AWS
Amplitude
Angular=AngularJS=Angular.js
Ansible
Apache Airflow=Airflow
Apache Beam
Apache Cassandra
Apache Flink=Flink
Apache Hive
Apache Iceberg
Apache Kafka=Kafka
Apache Spark=Spark=PySpark
ArcGIS
Argo CD=ArgoCD
Asana
AutoCAD
Azure=Microsoft Azure
Azure DevOps
BambooHR
Bash
BigQuery
Bitbucket
C#
C++
CATIA
Celery
CircleCI
ClickHouse
Clojure
Cloudflare
CockroachDB
Confluence
Contentful
Coupa
CrowdStrike
CUDA
Dagster
Databricks
Datadog
dbt
Django
Docker
DocuSign
Drupal
DynamoDB
Dynamics 365=Microsoft Dynamics
Elasticsearch=ElasticSearch
Elixir
Erlang
Express.js
FastAPI
Figma
Firebase
Fivetran
Flask
Flutter
Fortran
Genesys
GitHub
GitHub Actions
GitLab
Golang
Google Analytics
Google Cloud=GCP=Google Cloud Platform
Google Workspace=G Suite
Gradle
Grafana
GraphQL
gRPC
Hadoop
HashiCorp Vault
Haskell
Helm
Heroku
Hibernate
HubSpot
Informatica
IntelliJ
Istio
Jamf
Java
JavaScript=Javascript
Jenkins
Jira=JIRA
jQuery
Jupyter
Kibana
Klaviyo
Kotlin
Kubernetes=k8s=K8s
LabVIEW
LangChain
Laravel
Linux
Looker
Magento
MariaDB
Marketo
MATLAB
Maven
Memcached
Metabase
Microsoft Excel=MS Excel
Microsoft Teams=MS Teams
Mixpanel
MLflow
MongoDB=Mongo
MuleSoft
MySQL
Neo4j
NetSuite
New Relic
Next.js=NextJS
Nginx=NGINX
Node.js=NodeJS=Nodejs=Node.JS
NumPy
Objective-C
Okta
OpenShift
OpenTelemetry
Oracle Database=Oracle DB
Oracle Cloud=Oracle Fusion
PagerDuty
pandas=Pandas
Perl
PHP
PostgreSQL=Postgres=PostgresSQL=Postgresql
Power BI=PowerBI
PowerShell=Powershell
Prometheus
Pulumi
Python
PyTorch=Pytorch
QuickBooks=Quickbooks
RabbitMQ
React Native
React=React.js=ReactJS=Reactjs
Redis
Redshift
Redux
Revit
Ruby
Ruby on Rails=Rails=RoR
Rust
Sage Intacct
Salesforce
SAP=SAP S/4HANA=S/4HANA
Scala
scikit-learn=Scikit-learn=sklearn
Selenium
ServiceNow
SharePoint=Sharepoint
Shopify
Snowflake
SOLIDWORKS=SolidWorks=Solidworks
Spring Boot
SQL
SQL Server=MSSQL=MS SQL
SQLAlchemy
Splunk
Svelte
Swift
SwiftUI
Symfony
Tableau
Tailwind=TailwindCSS=Tailwind CSS
TensorFlow=Tensorflow
Terraform
Twilio
TypeScript=Typescript
Unreal Engine
VMware
Vue.js=Vue=VueJS=Vuejs
Webpack
WordPress=Wordpress
Workday
Xcode
Zendesk
Zoho
`;
